import { useQuery } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { may } from '#domain/roles.ts'
import { TextLink } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { useNavigate } from '#web/kit/router/index.ts'
import { Time } from '#web/kit/Time.tsx'
import { read } from '#web/wire/read.ts'
import { pathTo } from '#web/words/paths.ts'
import { EmailMark, LanguageBadge, SellerStateBadge } from '../../facts/badges.tsx'
import { Fact, Facts, Unbroken } from '../../facts/Facts.tsx'
import { KeyHint, useKeyShortcut } from '../../shell/keys/KeyHint.tsx'
import { useKeys } from '../../shell/keys/use-keys.ts'
import { useStaff } from '../../shell/use-staff.ts'
import { useView } from '../use-view.ts'

export function SellerFacts({ submission: { id, user } }: { submission: StaffSubmission }) {
  const { linkTo } = useView()
  const { role } = useStaff().admin
  const mayChat = may(role, 'chat')
  const navigate = useNavigate()
  const shortcut = useKeyShortcut('messageSeller')
  const chat = pathTo('adminChat', { user: user.id, about: id })
  useKeys(mayChat ? { messageSeller: () => navigate(chat) } : {})
  return (
    <Facts
      title="Seller"
      action={
        <TextLink to={linkTo({ q: user.username, status: undefined, brand: undefined })} className="text-sm">
          All submissions
        </TextLink>
      }
    >
      <Fact
        name="Username"
        action={
          mayChat && (
            <span className="flex items-center gap-2">
              <TextLink to={chat} className="text-sm" aria-keyshortcuts={shortcut}>
                Message
              </TextLink>
              <KeyHint action="messageSeller" className="text-soft" />
            </span>
          )
        }
      >
        <TextLink to={pathTo('adminSeller', { id: user.id })} className="mr-2">
          {user.username}
        </TextLink>
        <SellerStateBadge state={user.state} /> <LanguageBadge locale={user.locale} />
      </Fact>
      {may(role, 'see_details') && (
        <Fact name="Record">
          <Record id={id} />
        </Fact>
      )}
      <Fact name="Email">
        <Unbroken text={user.email} />
        <EmailMark confirmed={user.verified} />
      </Fact>
      {user.phoneNumber && <Fact name="Phone">{user.phoneNumber}</Fact>}
      <Fact name="Member since">
        <Time at={user.createdAt} />
      </Fact>
    </Facts>
  )
}

function Record({ id }: { id: string }) {
  const { data, isError } = useQuery(read(routes.sellerRecord, { params: { id } }))
  if (isError) return <span className="text-soft">Could not be loaded</span>
  if (!data) return <span className="text-soft">...</span>
  const { submissions, completed, rejected, appealed, unlisted } = data
  return (
    <span className="figures">
      {submissions} {submissions === 1 ? 'submission' : 'submissions'},{' '}
      <span className={cx('whitespace-nowrap', completed > 0 && 'text-positive')}>{completed} completed</span>
      , <span className={cx('whitespace-nowrap', rejected > 0 && 'text-negative')}>{rejected} rejected</span>
      {appealed > 0 && <>, {appealed === rejected && appealed === 1 ? 'appealed' : `${appealed} appealed`}</>}
      {unlisted > 0 && (
        <>
          , <span className="whitespace-nowrap text-caution">{unlisted} unlisted</span>
        </>
      )}
    </span>
  )
}
