import { Copy, Download } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, buttonClass } from '#web/kit/Button.tsx'
import { copyText } from '#web/kit/copy-text.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { useLeaveGuard } from '#web/kit/router/index.ts'
import { shopBrand } from '#web/words/shop-brand.ts'
import { useWords } from '#web/words/words.ts'

/** Codes for signing in without the phone. The server cannot show them again. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const t = useWords()
  const [leave, setLeave] = useState<() => void>()
  useLeaveGuard((leave) => setLeave(() => leave))
  useAskBeforeLeaving()
  const text = codes.join('\n')
  return (
    <>
      <Notice tone="caution" title={t('secondFactor.codes.title')}>
        {t('secondFactor.codes.text')}
      </Notice>
      <ul
        aria-label={t('secondFactor.codes.label')}
        className="grid gap-2 rounded-md bg-sunken p-4 sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code} className="font-mono">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="secondary"
          onClick={() => void copyText(text, t('secondFactor.codes.these'))}
          icon={<Copy />}
        >
          {t('secondFactor.codes.copy')}
        </Button>
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
          download={`${shopBrand.name.toLowerCase()}-recovery-codes.txt`}
          className={buttonClass({ variant: 'secondary' })}
        >
          <Download />
          {t('secondFactor.codes.download')}
        </a>
        <Button onClick={onDone}>{t('secondFactor.codes.saved')}</Button>
      </div>
      <Dialog
        open={leave !== undefined}
        onOpenChange={() => setLeave(undefined)}
        title={t('secondFactor.codes.leaveTitle')}
        description={t('secondFactor.codes.leaveText')}
        actions={
          <>
            <Button variant="secondary" onClick={leave}>
              {t('secondFactor.codes.leave')}
            </Button>
            <Button onClick={() => setLeave(undefined)}>{t('secondFactor.codes.stay')}</Button>
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
