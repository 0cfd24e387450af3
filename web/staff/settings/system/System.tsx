import { useQuery } from '@tanstack/react-query'
import { CircleAlert, Info, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { routes } from '#contract/routes.ts'
import { type SystemReport, testMail } from '#contract/system.ts'
import { ActionDialog } from '#web/forms/ActionForm.tsx'
import { Badge, type BadgeLook } from '#web/kit/Badge.tsx'
import { Button, textLinkClass } from '#web/kit/Button.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { Ledger, LedgerRow, Panel } from '#web/kit/Panel.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { call } from '#web/wire/call.ts'
import { read } from '#web/wire/read.ts'
import { QueryStatus } from '../../shell/QueryStatus.tsx'
import { RelativeTime } from '../../shell/RelativeTime.tsx'
import { StaffScreen } from '../../shell/StaffScreen.tsx'
import { FailedJobs, failureWords } from './FailedJobs.tsx'

/** Whether the shop is all right: what to look at, the worst first, and the state of each part. For owners. */
export default function System() {
  const query = useQuery({ ...read(routes.system, {}), staleTime: 0, refetchInterval: 60_000 })
  const report = query.data
  return (
    <StaffScreen title="System" intro="Whether your shop runs as it should.">
      <div className="mx-auto grid w-full max-w-6xl grid-cols-1 gap-6 lg:mt-4">
        <QueryStatus query={query} noun="the state of the system" rows={4} />
        {report && (
          <>
            <Verdict findings={report.findings} />
            <div className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_24rem] lg:items-start">
              <div className="grid gap-6 empty:hidden">
                <Findings findings={report.findings} />
                <FailedJobs jobs={report.jobs} />
              </div>
              <div className="grid gap-6">
                <Parts report={report} />
                <Mail mail={report.mail} />
              </div>
            </div>
          </>
        )}
      </div>
    </StaffScreen>
  )
}

type Finding = SystemReport['findings'][number]

const levelLooks: Record<Finding['level'], BadgeLook & { name: string }> = {
  broken: { name: 'Not working', tone: 'negative', icon: CircleAlert },
  unsafe: { name: 'Unsafe', tone: 'caution', icon: TriangleAlert },
  advice: { name: 'Advice', tone: 'info', icon: Info },
}

/** The answer in one line. */
function Verdict({ findings }: { findings: readonly Finding[] }) {
  const count = (level: Finding['level']) => findings.filter((finding) => finding.level === level).length
  const [broken, unsafe] = [count('broken'), count('unsafe')]
  if (broken > 0) {
    return (
      <Notice
        tone="negative"
        urgent
        title={broken === 1 ? 'One thing does not work.' : `${broken} things do not work.`}
      />
    )
  }
  if (unsafe > 0) {
    return (
      <Notice tone="caution" title={unsafe === 1 ? 'One thing is unsafe.' : `${unsafe} things are unsafe.`} />
    )
  }
  return (
    <Notice
      tone="positive"
      title={
        findings.length === 0 ? 'Everything is all right.' : 'Everything is all right. There is some advice.'
      }
    />
  )
}

function Findings({ findings }: { findings: readonly Finding[] }) {
  if (findings.length === 0) return null
  return (
    <Panel aria-label="What to look at" className="py-2 md:py-3">
      <ul className="divide-y divide-line">
        {findings.map(({ code, level, title, action, section }) => {
          const { name, ...look } = levelLooks[level]
          return (
            <li key={code} className="grid gap-x-4 gap-y-1.5 py-4 sm:grid-cols-[7.5rem_minmax(0,1fr)]">
              <div>
                <Badge {...look}>{name}</Badge>
              </div>
              <div className="grid gap-1">
                <h2 className="text-base">{title}</h2>
                <p className="max-w-prose text-pretty text-soft text-sm">{action}</p>
                <p className="text-sm">
                  <a href={guideTo(section)} target="_blank" rel="noopener" className={textLinkClass}>
                    Guide: {section}
                  </a>
                </p>
              </div>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}

/** The guide is plain text, so the link names the heading as a text to scroll to. */
function guideTo(section: string): string {
  return `${routes.operatingGuide.path}#:~:text=${encodeURIComponent(`# ${section}`)}`
}

function Parts({ report: { version, startedAt, database, photos, backups } }: { report: SystemReport }) {
  return (
    <Panel aria-label="Parts" className="py-3 md:py-4">
      <Ledger>
        <LedgerRow name="Version">{version}</LedgerRow>
        <LedgerRow name="Started">
          <RelativeTime at={startedAt} />
        </LedgerRow>
        <LedgerRow name="Database">
          PostgreSQL {database.version.split(' ')[0]}, {database.embedded ? 'embedded' : 'external'},{' '}
          {sizeWords(database.bytes)}
        </LedgerRow>
        <LedgerRow name="Newest migration">{database.migration.split('_')[0]}</LedgerRow>
        <LedgerRow name="Photos" long>
          {photos.reachable ? 'Reachable' : 'Not reachable'}: {photos.name}
        </LedgerRow>
        <LedgerRow name="Backups" long>
          {backups.to === null ? 'Not scheduled' : `Every ${backups.everyHours} h to ${backups.to}`}
        </LedgerRow>
        {backups.to !== null && (
          <LedgerRow name="Newest backup">
            {backups.newestAt === null ? 'None yet' : <RelativeTime at={backups.newestAt} />}
          </LedgerRow>
        )}
      </Ledger>
    </Panel>
  )
}

const units = ['KB', 'MB', 'GB', 'TB']

function sizeWords(bytes: number): string {
  const power = Math.min(units.length, Math.max(1, Math.floor(Math.log(bytes) / Math.log(1000))))
  return `${(bytes / 1000 ** power).toPrecision(3)} ${units[power - 1]}`
}

function Mail({ mail: { smtp, error, waiting, lateSeconds } }: { mail: SystemReport['mail'] }) {
  const [testing, setTesting] = useState(false)
  const late = Math.floor(lateSeconds / 60)
  return (
    <Panel aria-label="Mail" className="grid gap-4 py-3 md:py-4">
      <Ledger>
        <LedgerRow name="Mail server">
          {!smtp ? 'None: mails become files' : error ? failureWords(error) : 'Accepts our mail'}
        </LedgerRow>
        <LedgerRow name="Mails and other jobs waiting">{waiting.toLocaleString('en-US')}</LedgerRow>
        {late > 0 && <LedgerRow name="The oldest is late by">{late} min</LedgerRow>}
      </Ledger>
      <div className="pb-2">
        <Button variant="secondary" onClick={() => setTesting(true)}>
          Send a test email
        </Button>
      </div>
      <ActionDialog
        open={testing}
        onClose={() => setTesting(false)}
        title="Send a test email"
        description="It is sent at once, and you see how it went."
        schema={testMail}
        start={{ to: '' }}
        send={(body) => call(routes.sendTestMail, { body })}
        failed="The test email could not be sent."
        done={({ to, smtp, error }) =>
          error
            ? { title: 'Not Sent', description: failureWords(error), variant: 'destructive' }
            : smtp
              ? { title: 'Sent', description: `The mail server accepted the email to ${to}.` }
              : { title: 'Written to a File', description: 'It is in DATA_DIR/mail. Nobody gets it.' }
        }
        refreshes={[routes.system, routes.auditLog]}
        submit="Send"
      >
        {(field) => (
          <TextField
            label="Email"
            type="email"
            autoFocus
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            hint="Leave it empty to use the address of your account"
            {...field('to')}
          />
        )}
      </ActionDialog>
    </Panel>
  )
}
