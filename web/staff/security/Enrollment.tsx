import { ShieldCheck } from 'lucide-react'
import encodeQR from 'qr'
import { useMemo, useState } from 'react'
import { routes } from '#contract/routes.ts'
import { Button } from '#web/kit/Button.tsx'
import { FormActions } from '#web/kit/Form.tsx'
import { toast } from '#web/kit/toast.ts'
import { shopBrand } from '#web/words/shop-brand.ts'
import { CodeForm } from '../CodeForm.tsx'
import { useFactorCall } from './use-factor-call.ts'

interface Secret {
  secret: string
  uri: string
}

/** Switches the second factor on: shows the secret for the app, then checks a code. */
export function Enrollment({ onConfirmed }: { onConfirmed: (recoveryCodes: string[]) => void }) {
  const [secret, setSecret] = useState<Secret>()
  const start = useFactorCall(routes.startSecondFactor, 'Not Started', setSecret)
  if (secret) return <Confirm {...secret} onConfirmed={onConfirmed} onCancel={() => setSecret(undefined)} />
  return (
    <>
      <p className="max-w-prose text-soft">
        Off. Anyone who learns your password can sign in. With a second factor they would also need your
        phone, where an authenticator app shows a new code every 30 seconds.
      </p>
      <Button
        loading={start.isPending}
        onClick={() => start.mutate({})}
        icon={<ShieldCheck className="size-5" />}
        className="justify-self-start"
      >
        Set up second factor
      </Button>
    </>
  )
}

function Confirm({
  secret,
  uri,
  onConfirmed,
  onCancel,
}: Secret & { onConfirmed: (recoveryCodes: string[]) => void; onCancel: () => void }) {
  const confirm = useFactorCall(routes.confirmSecondFactor, 'Not Switched On', ({ recoveryCodes }) => {
    toast({ title: 'Second Factor On', description: 'You will need a code to sign in from now on.' })
    onConfirmed(recoveryCodes)
  })
  return (
    <ol className="grid gap-6 sm:grid-cols-[auto_minmax(0,1fr)] sm:gap-8">
      <li className="grid gap-3 sm:contents">
        <QrCode text={uri} label="QR code for the authenticator app" />
        <div className="grid content-start gap-3">
          <h3 className="font-semibold">1. Add {shopBrand.name} to your authenticator app</h3>
          <p className="text-soft text-sm">Scan the QR code with the app, or type in this key:</p>
          <code className="figures wrap-anywhere rounded-md bg-sunken px-3 py-2">{inGroups(secret)}</code>
          <p className="text-soft text-xs">Never share the QR code or the key.</p>
        </div>
      </li>
      <li className="grid gap-3 sm:col-span-2">
        <h3 className="font-semibold">2. Enter the code that the app shows</h3>
        <CodeForm
          label="Code"
          hint="Six digits"
          refusal={confirm.error}
          onCode={(code) => confirm.mutate({ body: { code } })}
        >
          <FormActions loading={confirm.isPending} onCancel={onCancel}>
            Switch on
          </FormActions>
        </CodeForm>
      </li>
    </ol>
  )
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
