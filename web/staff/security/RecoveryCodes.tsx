import { Copy, Download } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, buttonClass } from '#web/kit/Button.tsx'
import { copyText } from '#web/kit/copy-text.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { useLeaveGuard } from '#web/kit/router/index.ts'
import { shopBrand } from '#web/words/shop-brand.ts'

/** Codes for signing in without the phone. The server cannot show them again. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const [leave, setLeave] = useState<() => void>()
  useLeaveGuard((leave) => setLeave(() => leave))
  useAskBeforeLeaving()
  const text = codes.join('\n')
  return (
    <>
      <Notice tone="caution" title="Save these recovery codes now. They are shown only once.">
        Each code signs you in once without the app. Keep them on paper or in a password manager, not on your
        phone.
      </Notice>
      <ul aria-label="Recovery codes" className="grid gap-2 rounded-md bg-sunken p-4 sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code} className="font-mono">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" onClick={() => void copyText(text, 'the recovery codes')} icon={<Copy />}>
          Copy
        </Button>
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
          download={`${shopBrand.name.toLowerCase()}-recovery-codes.txt`}
          className={buttonClass({ variant: 'secondary' })}
        >
          <Download />
          Download
        </a>
        <Button onClick={onDone}>I have saved them</Button>
      </div>
      <Dialog
        open={leave !== undefined}
        onOpenChange={() => setLeave(undefined)}
        title="Leave without your recovery codes?"
        description="They are not shown again. Without them, losing your phone locks you out."
        actions={
          <>
            <Button variant="secondary" onClick={leave}>
              Leave
            </Button>
            <Button onClick={() => setLeave(undefined)}>Stay</Button>
          </>
        }
      />
    </>
  )
}

function useAskBeforeLeaving(): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
}
