import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useId, useState } from 'react'
import type { NotificationSettings } from '#contract/notifications.ts'
import { routes } from '#contract/routes.ts'
import { type Channel, channels, type NotificationKind, notificationKinds } from '#domain/notifications.ts'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { Failure } from '#web/kit/Notice.tsx'
import { SettingsSection } from '#web/kit/SettingsSection.tsx'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'
import { read } from '#web/wire/read.ts'
import { useWords } from '#web/words/words.ts'
import { AccountPage } from '../AccountPage.tsx'

const ThisBrowser = lazyComponent(
  () => import('../push/ThisBrowser.tsx').then((module) => module.ThisBrowser),
  { silent: true },
)

const settingsQuery = read(routes.notifications, {})

/** Which notifications the seller gets by email and by push. */
export default function AccountNotifications() {
  const t = useWords()
  const settings = useQuery(settingsQuery)
  return (
    <AccountPage title={t('accountNotifications.title')}>
      <div className="grid grid-cols-1 gap-10 md:gap-12">
        <SettingsSection
          title={t('accountNotifications.choose.title')}
          intro={t('accountNotifications.choose.text')}
        >
          {settings.isPending && <SkeletonRows rows={5} label={t('accountNotifications.loading')} />}
          {settings.isLoadingError && (
            <Failure
              message={messageOf(settings.error, t('accountNotifications.failed'))}
              onRetry={() => void settings.refetch()}
            />
          )}
          {settings.data && <Kinds settings={settings.data} />}
        </SettingsSection>
        <Suspense>
          <ThisBrowser />
        </Suspense>
        <SettingsSection title={t('accountNotifications.always.title')}>
          <ul className="grid list-disc gap-1 text-pretty pl-5 text-soft">
            {t('accountNotifications.always.points')
              .split('\n')
              .map((point) => (
                <li key={point}>{point}</li>
              ))}
          </ul>
        </SettingsSection>
      </div>
    </AccountPage>
  )
}

/** A table on wide screens. On phones the switches are below their kind, with visible labels. */
function Kinds({ settings }: { settings: NotificationSettings }) {
  const t = useWords()
  const id = useId()
  return (
    <table className="-my-3 w-full border-collapse text-left max-sm:block">
      <thead className="max-sm:sr-only">
        <tr className="text-sm">
          <th scope="col" className="py-2 font-medium text-soft">
            {t('accountNotifications.kind')}
          </th>
          {channels.map((channel) => (
            <th key={channel} scope="col" className="w-24 px-2 py-2 text-center font-medium text-soft">
              {t(`accountNotifications.${channel}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {notificationKinds.map((kind) => (
          <tr
            key={kind}
            className="border-line border-t max-sm:first:border-0 max-sm:grid max-sm:grid-cols-2 max-sm:py-3"
          >
            <th scope="row" className="py-3 pr-4 font-normal max-sm:col-span-2 max-sm:py-0">
              <span id={`${id}-${kind}`} className="font-medium">
                {t(`accountNotifications.${kind}.title`)}
              </span>
              <span id={`${id}-${kind}-text`} className="block text-pretty text-soft text-sm">
                {t(`accountNotifications.${kind}.text`)}
              </span>
            </th>
            {channels.map((channel) => (
              <td key={channel} className="sm:px-2 sm:text-center">
                <Switch
                  kind={kind}
                  channel={channel}
                  saved={settings[kind][channel]}
                  titleId={`${id}-${kind}`}
                  textId={`${id}-${kind}-text`}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface SwitchProps {
  kind: NotificationKind
  channel: Channel
  saved: boolean
  titleId: string
  textId: string
}

/** Shows the choice while it is saved, and what the server has when that fails. */
function Switch({ kind, channel, saved, titleId, textId }: SwitchProps) {
  const t = useWords()
  const id = useId()
  const client = useQueryClient()
  const [wanted, setWanted] = useState<boolean>()
  const save = useMutation({
    // One after the other, so that the last answer has every change.
    scope: { id: routes.changeNotifications.path },
    mutationFn: (on: boolean) => call(routes.changeNotifications, { body: { [kind]: { [channel]: on } } }),
    onSuccess: (settings) => client.setQueryData(settingsQuery.queryKey, settings),
  })
  const change = (on: boolean) => {
    setWanted(on)
    save.mutate(on, {
      onSettled: () => setWanted(undefined),
      onError: (error) =>
        toast({
          title: t('accountNotifications.notSaved'),
          description: messageOf(error, t('site.tryAgain')),
          variant: 'destructive',
        }),
    })
  }
  const on = wanted ?? saved
  return (
    <label className="inline-flex min-h-11 items-center gap-3">
      <input
        type="checkbox"
        role="switch"
        checked={on}
        aria-checked={on}
        onChange={(event) => change(event.currentTarget.checked)}
        aria-labelledby={`${id} ${titleId}`}
        aria-describedby={textId}
        className="relative h-6 w-11 shrink-0 cursor-pointer appearance-none rounded-full border border-control bg-sunken before:absolute before:top-0.5 before:left-0.5 before:size-4.5 before:rounded-full before:bg-control before:transition-transform checked:border-accent checked:bg-accent checked:before:translate-x-5 checked:before:bg-on-accent motion-reduce:before:transition-none forced-colors:appearance-auto forced-colors:before:hidden"
      />
      <span id={id} className="text-sm sm:sr-only">
        {t(`accountNotifications.${channel}`)}
      </span>
    </label>
  )
}
