import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { WireBatch } from '#contract/payouts.ts'
import { routes } from '#contract/routes.ts'
import { saveFile } from '#web/kit/save-file.ts'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { callFile } from '#web/wire/call-file.ts'
import { toastFailure } from '#web/wire/errors.ts'
import { contentsOf } from '../facts/payout-words.ts'
import { refreshPayouts } from '../shell/payout-queries.ts'

/** Marks a batch as exported and saves its file, which the server audits. */
export function useDownload(batch: WireBatch) {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      await call(routes.exportBatch, { params: { id: batch.id } })
      return callFile(routes.batchFile, { id: batch.id })
    },
    onSettled: () => refreshPayouts(client),
    onSuccess: (file) => save(batch, file),
    onError: toastFailure('Download Failed', 'The file could not be downloaded.'),
  })
  return { isPending, download: () => isPending || mutate() }
}

async function save(batch: WireBatch, file: { bytes: Blob; name: string }): Promise<void> {
  // Insecure pages cannot compute it.
  if (crypto.subtle && (await sha256(file.bytes)) !== batch.fileSha256) {
    toast({
      title: 'Do not send this file',
      description: 'It arrived damaged: its SHA-256 differs from the batch’s. Download it again.',
      variant: 'destructive',
    })
    return
  }
  saveFile(file)
  toast({ title: 'File Downloaded', description: `${file.name}: ${contentsOf(batch)}` })
}

/** In hex. */
async function sha256(bytes: Blob): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await bytes.arrayBuffer()))
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
