import { useQuery } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import type { HistoryEntry } from '#contract/submissions.ts'
import { isFinal, withoutUndone } from '#domain/submission.ts'
import { read } from '#web/wire/read.ts'
import { useThumbnailAddress } from '../../facts/photos/photo-address.ts'
import { QueryStatus } from '../../shell/QueryStatus.tsx'
import { useStaff } from '../../shell/use-staff.ts'

interface SellerMessagesProps {
  submission: StaffSubmission
  onOpenPhoto: (photo: string) => void
}

/** The seller's appeal, until it is decided, and the answer that staff have not acted on yet. */
export function SellerMessages(props: SellerMessagesProps) {
  const { submission } = props
  const isAppeal = submission.appealed && !isFinal(submission.status)
  if (isAppeal || submission.answered) return <Messages {...props} isAppeal={isAppeal} />
  return null
}

function Messages({ submission, isAppeal, ...more }: SellerMessagesProps & { isAppeal: boolean }) {
  const history = useQuery(read(routes.staffHistory, { params: { id: submission.id } }))
  const moves = (history.data ?? []).filter(({ from, to }) => from !== to)
  const entries = withoutUndone(moves, ({ move }) => move)
  const appealed = entries.findLastIndex(({ move }) => move === 'appeal')
  const answered = entries.length - 1
  return (
    <>
      <QueryStatus query={history} noun="the message" />
      {isAppeal && appealed > 0 && (
        <Appeal
          submission={submission}
          rejection={entries[appealed - 1]}
          appeal={entries[appealed]}
          {...more}
        />
      )}
      {submission.answered && entries[answered]?.move === 'answer' && (
        <Message
          name="Answer"
          title={`${submission.user.username} answered`}
          said={[
            ['Question', entries[answered - 1]?.reason],
            ['Answer', entries[answered]?.reason],
          ]}
          photos={entries[answered]?.images}
          submission={submission}
          {...more}
        />
      )}
    </>
  )
}

interface AppealProps extends SellerMessagesProps {
  rejection: HistoryEntry | undefined
  appeal: HistoryEntry | undefined
}

function Appeal({ rejection, appeal, ...more }: AppealProps) {
  const { admin } = useStaff()
  const { submission } = more
  const isYours = rejection?.by === admin.username
  return (
    <Message
      name="Appeal"
      title={
        isYours
          ? `Appeal: you rejected this card${submission.secondPersonNeeded ? ', so someone else must decide' : ''}`
          : `Appeal: ${rejection?.by} rejected this card`
      }
      said={[
        ['Rejected', rejection?.reason],
        ['Appeal', appeal?.reason],
      ]}
      photos={appeal?.images}
      {...more}
    />
  )
}

interface MessageProps extends SellerMessagesProps {
  name: string
  title: string
  /** What staff wrote, then what the seller wrote. */
  said: readonly [name: string, text: string | undefined][]
  photos: readonly string[] | undefined
}

function Message({ name, title, said, photos = [], submission, onOpenPhoto }: MessageProps) {
  return (
    <section
      aria-label={name}
      className="flex flex-wrap gap-x-4 gap-y-1.5 rounded-md bg-accent-quiet px-3 py-2 text-sm"
    >
      <div className="grid flex-1 basis-96 content-start gap-1.5">
        <h3 className="font-semibold">{title}</h3>
        <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[auto_minmax(0,1fr)]">
          {said.map(([name, text]) => (
            <div key={name} className="contents">
              <dt className="text-soft">{name}</dt>
              <dd className="wrap-anywhere max-w-prose whitespace-pre-line">
                {text ?? 'No message, only photos'}
              </dd>
            </div>
          ))}
        </dl>
      </div>
      {photos.length > 0 && (
        <ul aria-label="New photos" className="flex flex-wrap gap-2">
          {photos.map((photo) => (
            <li key={photo}>
              <button
                type="button"
                onClick={() => onOpenPhoto(photo)}
                aria-label={`Open new photo ${submission.imageUrl.indexOf(photo) + 1}`}
                className="block h-16 cursor-zoom-in overflow-hidden rounded-md bg-sunken"
              >
                <Thumbnail photo={photo} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Thumbnail({ photo }: { photo: string }) {
  return <img src={useThumbnailAddress(photo)} alt="" className="h-full object-contain" />
}
