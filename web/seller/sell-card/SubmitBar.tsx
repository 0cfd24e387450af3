import { useId } from 'react'
import { Button, ButtonLink } from '#web/kit/Button.tsx'
import { Progress } from '#web/kit/Progress.tsx'
import { paths } from '#web/words/paths.ts'

interface SubmitBarProps {
  label: string
  /** What is still missing, in the words of the fields. */
  missing: readonly string[]
  sending: boolean
  share: number
  onStop: () => void
}

/**
 * Submit stays pressable while something is missing: pressing it says what. Cancel stops an upload, and is gone once
 * everything has been uploaded, because then the card may have been accepted.
 */
export function SubmitBar({ label, missing, sending, share, onStop }: SubmitBarProps) {
  const id = useId()
  const incomplete = missing.length > 0
  return (
    <div className="grid gap-3">
      {sending && <UploadProgress share={share} />}
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:items-start sm:justify-between">
        {!(sending && share === 1) && (
          <ButtonLink
            to={paths.getQuote}
            variant="secondary"
            size="lg"
            onClick={sending ? onStop : undefined}
          >
            Cancel
          </ButtonLink>
        )}
        <div className="grid gap-2 sm:ml-auto sm:max-w-md">
          <Button
            type="submit"
            size="lg"
            loading={sending}
            aria-disabled={incomplete || undefined}
            aria-describedby={incomplete ? id : undefined}
          >
            {label}
          </Button>
          {incomplete && (
            <p id={id} className="text-soft text-sm">
              Still missing: {missing.join(', ')}
            </p>
          )}
        </div>
      </div>
    </div>
  )
}

export function UploadProgress({ share }: { share: number }) {
  const text = share < 1 ? `Uploading your photos, ${Math.round(share * 100)}%` : 'Checking your photos...'
  return (
    <div className="grid gap-2">
      <p role="status" className="figures text-sm">
        {text}
      </p>
      <Progress share={share} label="Upload" />
    </div>
  )
}
