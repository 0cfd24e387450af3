import encodeQR from 'qr'
import { useMemo } from 'react'
import { FormActions } from '#web/kit/Form.tsx'
import { useWords } from '#web/words/words.ts'
import { CodeForm } from './CodeForm.tsx'

/** Shows the secret for the authenticator app, and asks for its first code. */
export function AppSetup({ secret, uri, confirm, onCode, onCancel }: AppSetupProps) {
  const t = useWords()
  return (
    <ol className="grid gap-6 sm:grid-cols-[auto_minmax(0,1fr)] sm:gap-8">
      <li className="grid gap-3 sm:contents">
        <QrCode text={uri} label={t('secondFactor.qr')} />
        <div className="grid content-start gap-3">
          <h3 className="font-semibold">{t('secondFactor.add')}</h3>
          <p className="text-soft text-sm">{t('secondFactor.scan')}</p>
          <code className="figures wrap-anywhere rounded-md bg-sunken px-3 py-2">{inGroups(secret)}</code>
          <p className="text-soft text-xs">{t('secondFactor.private')}</p>
        </div>
      </li>
      <li className="grid gap-3 sm:col-span-2">
        <h3 className="font-semibold">{t('secondFactor.enter')}</h3>
        <CodeForm
          label={t('secondFactor.code')}
          hint={t('secondFactor.sixDigits')}
          refusal={confirm.error}
          onCode={onCode}
        >
          <FormActions loading={confirm.isPending} onCancel={onCancel}>
            {t('secondFactor.switchOn')}
          </FormActions>
        </CodeForm>
      </li>
    </ol>
  )
}

interface AppSetupProps {
  /** Base32 */
  secret: string
  /** For the QR code */
  uri: string
  /** The call that checks the code */
  confirm: { isPending: boolean; error: Error | null }
  onCode: (code: string) => void
  onCancel: () => void
}

/** Groups of four characters. */
function inGroups(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? secret
}

/** Margin around the code, in modules. ISO/IEC 18004 section 9.1 */
const QUIET_ZONE = 4

/** Drawn here, because the secret must not go to another server. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => draw(text), [text])
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-52 rounded-md"
    >
      {/* Black on white in every theme: some scanners cannot read inverted codes. */}
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={path} />
    </svg>
  )
}

function draw(text: string): { size: number; path: string } {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE })
  const squares = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return { size: rows.length, path: squares.join('') }
}
