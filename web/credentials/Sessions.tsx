import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { MonitorSmartphone } from 'lucide-react'
import { useState } from 'react'
import type { accountRoutes, OwnSession } from '#contract/accounts.ts'
import type { administratorRoutes } from '#contract/administrators.ts'
import { Button } from '#web/kit/Button.tsx'
import { Dotted } from '#web/kit/Dotted.tsx'
import { Failure } from '#web/kit/Notice.tsx'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { Time } from '#web/kit/Time.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'
import { read, refresh } from '#web/wire/read.ts'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'
import { browserName } from '#words/browser-name.ts'

/** Sessions that are shown at first. */
const FIRST = 4

/** The routes of sellers or of staff. */
export interface SessionCalls {
  list: typeof accountRoutes.mySessions | typeof administratorRoutes.adminSessions
  endOthers: typeof accountRoutes.endOtherSessions | typeof administratorRoutes.endOtherAdminSessions
}

/** Where the person is signed in, this browser first. */
export function Sessions({ calls }: { calls: SessionCalls }) {
  const t = useWords()
  const sessions = useQuery({ ...read(calls.list, {}), staleTime: 0 })
  const [all, setAll] = useState(false)
  if (sessions.isPending) return <SkeletonRows rows={2} label={t('profile.sessions.loading')} />
  if (sessions.isError) {
    const message = messageOf(sessions.error, t('profile.sessions.failed'))
    return <Failure message={message} onRetry={() => sessions.refetch()} />
  }
  const others = sessions.data.filter(({ current }) => !current)
  const sorted = [...sessions.data.filter(({ current }) => current), ...others]
  const shown = all ? sorted : sorted.slice(0, FIRST)
  return (
    <div className="grid grid-cols-1 gap-5">
      <ul aria-label={t('profile.sessions.title')} className="-my-4 divide-y divide-line">
        {shown.map((session) => (
          <Session key={session.id} session={session} />
        ))}
      </ul>
      {shown.length < sessions.data.length && (
        <Button variant="quiet" onClick={() => setAll(true)} className="-my-2 -ml-4 justify-self-start">
          {t('profile.sessions.all', { count: sessions.data.length })}
        </Button>
      )}
      {others.length > 0 && <SignOutOthers calls={calls} />}
    </div>
  )
}

function Session({ session: { userAgent, current, createdAt, lastSeen } }: { session: OwnSession }) {
  const t = useWords()
  return (
    <li className="flex items-start gap-3 py-4">
      <MonitorSmartphone aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-soft" />
      <div className="grid min-w-0 gap-0.5">
        <p className="font-medium">
          <Dotted>
            {browserName(userAgent, t)}
            {current && <span className="text-accent">{t('profile.sessions.current')}</span>}
          </Dotted>
        </p>
        <p className="flex flex-wrap gap-x-4 text-soft text-sm [&_time]:whitespace-normal">
          <span>
            <Rich
              id="profile.sessions.signedIn"
              tags={{ time: () => <Time at={createdAt} as="dateTime" /> }}
            />
          </span>
          <span>
            {current ? (
              t('profile.sessions.inUse')
            ) : (
              <Rich
                id="profile.sessions.lastUsed"
                tags={{ time: () => <Time at={lastSeen} as="dateTime" /> }}
              />
            )}
          </span>
        </p>
      </div>
    </li>
  )
}

function SignOutOthers({ calls }: { calls: SessionCalls }) {
  const t = useWords()
  const client = useQueryClient()
  const end = useMutation({
    mutationFn: () => call(calls.endOthers, {}),
    onSuccess: () =>
      toast({ title: t('profile.sessions.ended'), description: t('profile.sessions.endedText') }),
    onError: (error) =>
      toast({
        title: t('profile.sessions.endFailed'),
        description: messageOf(error, t('site.tryAgain')),
        variant: 'destructive',
      }),
    onSettled: () => refresh(client, calls.list),
  })
  return (
    <Button
      variant="secondary"
      loading={end.isPending}
      onClick={() => end.mutate()}
      className="sm:justify-self-start"
    >
      {t('profile.sessions.endOthers')}
    </Button>
  )
}
