import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useRef, useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { Duplicate } from '#contract/staff.ts'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { Button, TextLink } from '#web/kit/Button.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Money } from '#web/kit/Money.tsx'
import { Link } from '#web/kit/router/index.ts'
import { read } from '#web/wire/read.ts'
import { StaffStatus, UnlistedBadge } from '../../facts/badges.tsx'
import { duplicateWords } from '../../facts/duplicate-words.ts'
import { viewAddress } from '../../facts/photos/photo-address.ts'
import { KeyHint } from '../../shell/keys/KeyHint.tsx'
import { useKeys } from '../../shell/keys/use-keys.ts'
import { QueryStatus } from '../../shell/QueryStatus.tsx'
import { RelativeTime } from '../../shell/RelativeTime.tsx'
import { useView } from '../use-view.ts'

/** Shown without a press of "Show more". The strongest come first. */
const SHOWN_FIRST = 2

/** Other submissions of what may be the same card or person. */
export function Duplicates({ submission: { id, user } }: { submission: StaffSubmission }) {
  const { linkTo } = useView()
  const query = useQuery(read(routes.duplicates, { params: { id } }))
  const [all, showAll] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  useKeys({ duplicates: () => list.current?.querySelector('a')?.focus() })

  const { data = [], isSuccess } = query
  const suspicious = data.filter((duplicate) => !isPayoutAsUsual(duplicate))
  const asUsual = data.length - suspicious.length
  return (
    <section aria-label="Possible duplicates" className="grid grid-cols-1 content-start gap-1">
      <h3 className="flex min-h-9 items-center gap-2 text-base">
        Possible duplicates
        {suspicious.length > 0 && (
          <>
            <span className="figures rounded-chip bg-caution-quiet px-2 py-0.5 font-semibold text-caution text-sm">
              {suspicious.length}
            </span>
            <KeyHint action="duplicates" className="text-soft" />
          </>
        )}
      </h3>
      <QueryStatus
        query={query}
        noun="the duplicates"
        // As high as the usual answer, so that the seller below stays in place.
        loading={
          <div className="min-h-27">
            <Line role="status">Looking for duplicates...</Line>
          </div>
        }
      />
      {isSuccess && suspicious.length === 0 && (
        <Line>
          No other submission shares this card number, these photos, or (for another seller) this payout
          account.
        </Line>
      )}
      {suspicious.length > 0 && (
        <ul ref={list} className="divide-y divide-line border-line border-y">
          {(all ? suspicious : suspicious.slice(0, SHOWN_FIRST)).map((duplicate) => (
            <DuplicateRow key={duplicate.id} duplicate={duplicate} to={linkTo({ id: duplicate.id })} />
          ))}
        </ul>
      )}
      {!all && suspicious.length > SHOWN_FIRST && (
        <Button variant="quiet" size="sm" className="justify-self-start" onClick={() => showAll(true)}>
          Show {suspicious.length - SHOWN_FIRST} more
        </Button>
      )}
      {asUsual > 0 && (
        <p className="pt-1 text-soft text-sm">
          {asUsual === 1
            ? '1 more submission from this seller uses the same account. '
            : `${asUsual} more submissions from this seller use the same account. `}
          <TextLink to={linkTo({ q: user.username, status: undefined, brand: undefined })}>Show all</TextLink>
        </p>
      )}
    </section>
  )
}

function Line(props: ComponentProps<'p'>) {
  return <p className="border-line border-y py-2 text-soft text-sm" {...props} />
}

/** A seller using the same payout account again is normal. */
function isPayoutAsUsual({ sameSeller, reasons }: Duplicate): boolean {
  return sameSeller && reasons.every((reason) => reason === 'payment_account')
}

function DuplicateRow({ duplicate, to }: { duplicate: Duplicate; to: string }) {
  const [comparing, compare] = useState(false)
  const { photos } = duplicate
  return (
    <li>
      <Link
        to={to}
        className="-mx-2 grid grid-cols-1 gap-0.5 px-2 py-2 hover:bg-sunken focus-visible:-outline-offset-2"
      >
        <span className="font-semibold text-caution text-sm">{duplicateWords(duplicate.reasons)}</span>
        <span className="flex items-center justify-between gap-3 text-sm">
          {/* Wraps: an amount must not be cut. */}
          <span className="min-w-0">
            {duplicate.brandName} <Money amount={duplicate.denomination} />{' '}
            {duplicate.unlistedBrand && <UnlistedBadge />}
          </span>
          <StaffStatus status={duplicate.status} />
        </span>
        <span className="truncate text-soft text-sm">
          {duplicate.sameSeller ? 'Same seller' : duplicate.user.username} ·{' '}
          <RelativeTime at={duplicate.createdAt} />
        </span>
        {duplicate.statusReason && (
          <span className="truncate text-soft text-sm" title={duplicate.statusReason}>
            {duplicate.statusReason}
          </span>
        )}
      </Link>
      {photos && (
        <>
          <Button variant="quiet" size="sm" className="-ml-2 mb-1 px-2" onClick={() => compare(true)}>
            Compare photos ({photos.percent}% alike)
          </Button>
          <Dialog
            wide
            open={comparing}
            onOpenChange={compare}
            title={`Similar photos: ${photos.percent}% alike`}
            description="Compares brightness in 64 cells. 91% and more counts as similar, also after cropping or another compression."
          >
            <div className="grid gap-4 sm:grid-cols-2">
              <Compared photo={photos.own} caption="This submission" />
              <Compared
                photo={photos.other}
                caption={`${duplicate.brandName} from ${duplicate.sameSeller ? 'the same seller' : duplicate.user.username}`}
              />
            </div>
          </Dialog>
        </>
      )}
    </li>
  )
}

/** Loaded only when somebody compares: each view of a photo is recorded. */
function Compared({ photo, caption }: { photo: string; caption: string }) {
  return (
    <figure className="grid content-start gap-1.5">
      <img src={viewAddress(photo, 'full')} alt={caption} className="w-full rounded-md bg-sunken" />
      <figcaption className="text-soft text-sm">{caption}</figcaption>
    </figure>
  )
}
