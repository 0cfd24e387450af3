import type { UseMutationResult } from '@tanstack/react-query'
import { FileField } from '#web/kit/FileField.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { ApiError, messageOf } from '#web/wire/errors.ts'

interface UploadFieldProps {
  sending: Pick<UseMutationResult<unknown, Error, File>, 'mutate' | 'isPending' | 'error'>
  /** While the file is sent. */
  pending: string
  /** The text for a failure without a message. */
  failed: string
}

/** Sends a file as soon as it is chosen, and says why it cannot be read. */
export function UploadField({ sending: { mutate, isPending, error }, pending, failed }: UploadFieldProps) {
  return (
    <>
      <FileField
        label="File"
        autoFocus
        disabled={isPending}
        hint={isPending && pending}
        onFile={(file) => file && mutate(file)}
      />
      {error && <Unreadable error={error} failed={failed} />}
    </>
  )
}

/** Every line that cannot be read, if the server names them. */
function Unreadable({ error, failed }: { error: Error; failed: string }) {
  const errors = error instanceof ApiError ? error.errors : []
  const [first] = errors
  if (errors.length < 2) {
    return <Notice tone="negative" title={first?.message ?? messageOf(error, failed)} urgent />
  }
  return (
    <Notice tone="negative" title="The file cannot be read" urgent>
      <ul className="grid max-h-48 gap-1 overflow-y-auto">
        {errors.map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </Notice>
  )
}
