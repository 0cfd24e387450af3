import { type Status, statusRules } from '#domain/submission.ts'
import { StatusBadge } from '#web/kit/StatusBadge.tsx'

/** The move as the seller will read it, word by word. */
export function SellerSees({ status, text }: { status: Status; text: string }) {
  const { sellerLabel, sellerStatus, sellerText } = statusRules[status]
  return (
    <section aria-label="What the seller will see" className="grid gap-2">
      <p className="font-medium text-sm">What the seller will see</p>
      <div className="grid justify-items-start gap-2 rounded-md bg-sunken p-4">
        <StatusBadge status={sellerStatus}>{sellerLabel}</StatusBadge>
        <p className="font-medium">{sellerText}</p>
        {text.trim() ? (
          <p className="max-w-full whitespace-pre-line text-sm wrap-anywhere">{text.trim()}</p>
        ) : (
          <p className="text-soft text-sm italic">Nothing written yet</p>
        )}
      </div>
    </section>
  )
}
