import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Bell, BellRing } from 'lucide-react'
import { useState } from 'react'
import { routes } from '#contract/routes.ts'
import { Button, TextLink } from '#web/kit/Button.tsx'
import { SettingsSection } from '#web/kit/SettingsSection.tsx'
import { toast } from '#web/kit/toast.ts'
import { messageOf } from '#web/wire/errors.ts'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { type PushStatus, readPushStatus, turnOffPushes, turnOnPushes } from './subscription.ts'

const queryKey = [routes.pushState.path]

/** Turns notifications in this browser on and off, or says why they do not work. */
export function ThisBrowser() {
  const t = useWords()
  const status = usePushStatus()
  if (!status) return null
  return (
    <SettingsSection title={t('pushes.title')}>
      <Choice status={status} />
    </SettingsSection>
  )
}

/** Asks once, where there is something to wait for. Shows nothing if the seller has decided already, or cannot. */
export function AskForNews() {
  const status = usePushStatus()
  return status ? <Ask status={status} /> : null
}

function Ask({ status }: { status: PushStatus }) {
  const t = useWords()
  const [first] = useState(status)
  if (first !== 'off' && first !== 'install') return null
  if (status !== 'on') return <Choice status={status} />
  return (
    <p role="status" className="flex gap-3 text-pretty">
      <BellRing aria-hidden="true" className="mt-1 size-5 shrink-0 text-accent" />
      <span>
        {t('pushes.on')} <TextLink to={paths.accountNotifications}>{t('pushes.choose')}</TextLink>
      </span>
    </p>
  )
}

function usePushStatus(): PushStatus | undefined {
  return useQuery({ queryKey, queryFn: readPushStatus, retry: false }).data
}

function Choice({ status }: { status: PushStatus }) {
  const t = useWords()
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: () => (status === 'on' ? turnOffPushes() : turnOnPushes()),
    onSuccess: (changed) => client.setQueryData(queryKey, changed),
    onError: (error) =>
      toast({
        title: t('pushes.failed'),
        description: messageOf(error, t('pushes.failedText')),
        variant: 'destructive',
      }),
  })
  const Icon = status === 'on' ? BellRing : Bell
  return (
    <div className="flex gap-3">
      <Icon aria-hidden="true" className="mt-1 size-5 shrink-0 text-accent" />
      <div className="grid gap-3">
        <p role="status" className="text-pretty text-soft">
          {t(`pushes.${status}`)}
        </p>
        {(status === 'on' || status === 'off') && (
          <Button
            variant="secondary"
            loading={change.isPending}
            onClick={() => change.mutate()}
            className="justify-self-start"
          >
            {t(status === 'on' ? 'pushes.turnOff' : 'pushes.turnOn')}
          </Button>
        )}
      </div>
    </div>
  )
}
