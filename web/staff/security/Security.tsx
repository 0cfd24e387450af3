import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { routes } from '#contract/routes.ts'
import { Failure } from '#web/kit/Notice.tsx'
import { Panel } from '#web/kit/Panel.tsx'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { messageOf } from '#web/wire/errors.ts'
import { read } from '#web/wire/read.ts'
import { StaffScreen } from '../StaffScreen.tsx'
import { Enrolment } from './Enrolment.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { SwitchedOn } from './SwitchedOn.tsx'

/** The signed-in administrator's own second factor. */
export default function Security() {
  return (
    <StaffScreen title="Security" intro="How you prove at sign-in that it is you.">
      <Panel className="mx-auto grid w-full max-w-3xl gap-6 lg:mt-4">
        <h2 className="text-xl">Second factor</h2>
        <SecondFactor />
      </Panel>
    </StaffScreen>
  )
}

function SecondFactor() {
  // Kept nowhere else: once they leave the screen, nobody can show them again.
  const [codes, setCodes] = useState<readonly string[]>()
  const query = useQuery({ ...read(routes.secondFactor, {}), staleTime: 0 })
  if (codes) return <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />
  if (query.isPending) return <SkeletonRows rows={1} label="Loading your second factor" />
  if (query.isError) {
    return (
      <Failure
        message={messageOf(query.error, 'Your second factor could not be loaded.')}
        onRetry={() => void query.refetch()}
      />
    )
  }
  const { enabled, recoveryCodesLeft } = query.data
  return enabled ? <SwitchedOn recoveryCodesLeft={recoveryCodesLeft} /> : <Enrolment onConfirmed={setCodes} />
}
