import { useQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { SecondFactor as State } from '#contract/second-factor.ts'
import { Button } from '#web/kit/Button.tsx'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { Failure, Notice } from '#web/kit/Notice.tsx'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { messageOf } from '#web/wire/errors.ts'
import { read } from '#web/wire/read.ts'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'
import type { SecondFactorCalls } from './second-factor-steps.tsx'

// Loaded when used, because most visits change nothing.
const steps = () => import('./second-factor-steps.tsx')
const SetUp = lazyComponent(() => steps().then((module) => module.SetUp))
const Change = lazyComponent(() => steps().then((module) => module.Change))
const RecoveryCodes = lazyComponent(() => steps().then((module) => module.RecoveryCodes))

/** Below this number the screen asks to get new recovery codes. */
const MIN_RECOVERY_CODES = 3

/** Turns codes from an authenticator app on and off. Setting it up needs a confirmed address. */
export function SecondFactor({ calls, confirmed = true }: { calls: SecondFactorCalls; confirmed?: boolean }) {
  const t = useWords()
  // Only here: the server cannot show them again.
  const [codes, setCodes] = useState<readonly string[]>()
  const [step, setStep] = useState<'setUp' | 'renew' | 'stop'>()
  const query = useQuery({ ...read(calls.state, {}), staleTime: 0 })
  const close = () => setStep(undefined)
  const showCodes = (recoveryCodes: readonly string[]) => {
    close()
    setCodes(recoveryCodes)
  }
  if (query.isPending) return <SkeletonRows rows={1} label={t('accountSecurity.factor.loading')} />
  if (query.isError) {
    const message = messageOf(query.error, t('accountSecurity.factor.failed'))
    return <Failure message={message} onRetry={() => void query.refetch()} />
  }
  if (codes) {
    return (
      <Suspense fallback={<SkeletonRows rows={2} label={t('accountSecurity.factor.loading')} />}>
        <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />
      </Suspense>
    )
  }
  return (
    <>
      {query.data.enabled ? (
        <SwitchedOn
          {...query.data}
          {...(!step && { onRenew: () => setStep('renew'), onStop: () => setStep('stop') })}
        />
      ) : (
        <SwitchedOff confirmed={confirmed} {...(!step && { onSetUp: () => setStep('setUp') })} />
      )}
      <Suspense fallback={<SkeletonRows rows={1} label={t('accountSecurity.factor.loading')} />}>
        {step === 'setUp' && <SetUp calls={calls} onConfirmed={showCodes} onCancel={close} />}
        {(step === 'renew' || step === 'stop') && (
          <Change key={step} calls={calls} change={step} onRenewed={showCodes} onClose={close} />
        )}
      </Suspense>
    </>
  )
}

function SwitchedOff({ confirmed, onSetUp }: { confirmed: boolean; onSetUp?: () => void }) {
  const t = useWords()
  return (
    <>
      <p className="text-pretty text-soft">
        <Rich
          id="accountSecurity.factor.off"
          tags={{ state: (text) => <span className="font-medium text-ink">{text}</span> }}
        />
      </p>
      {!confirmed && <p className="font-medium">{t('accountSecurity.factor.unconfirmed')}</p>}
      {onSetUp && confirmed && (
        <Button
          onClick={onSetUp}
          icon={<ShieldCheck aria-hidden="true" className="size-5" />}
          className="sm:justify-self-start"
        >
          {t('accountSecurity.factor.setUp')}
        </Button>
      )}
    </>
  )
}

function SwitchedOn({ recoveryCodesLeft, onRenew, onStop }: State & SwitchedOnProps) {
  const t = useWords()
  return (
    <>
      <p className="flex items-center gap-2 font-medium text-positive">
        <ShieldCheck aria-hidden="true" className="size-5 shrink-0" />
        {t('accountSecurity.factor.on')}
      </p>
      <p className="text-soft">{t('accountSecurity.factor.left', { count: recoveryCodesLeft })}</p>
      {recoveryCodesLeft < MIN_RECOVERY_CODES && (
        <Notice tone="caution" title={t('accountSecurity.factor.few')} />
      )}
      {onRenew && onStop && (
        <div className="flex flex-col gap-2 sm:flex-row">
          <Button variant="secondary" onClick={onRenew}>
            {t('accountSecurity.factor.renew')}
          </Button>
          <Button variant="secondary" onClick={onStop}>
            {t('accountSecurity.factor.stop')}
          </Button>
        </div>
      )}
    </>
  )
}

interface SwitchedOnProps {
  onRenew?: () => void
  onStop?: () => void
}
