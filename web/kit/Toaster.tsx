import * as Radix from '@radix-ui/react-toast'
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useWords } from '#web/words/words.ts'
import { Button, IconButton } from './Button.tsx'
import { cx } from './cx.ts'
import { useStore } from './store.ts'
import { dismissToast, type ShownToast, shownToast } from './toast.ts'

/** Milliseconds that a toast with a button stays: as long as a decision on the desk can be undone. */
const ACTION_DURATION = 10_000

/** Shows toasts. Rendered once, in the browser only. */
export function Toaster() {
  const t = useWords()
  const shown = useStore(shownToast)
  return (
    <Radix.Provider label={t('site.toast')} duration={5000} swipeDirection="right" swipeThreshold={50}>
      {shown && <Toast key={shown.id} toast={shown} />}
      <Radix.Viewport
        label={t('site.toast.region', { hotkey: 'F8' })}
        hotkey={['F8']}
        className="toasts fixed inset-x-0 top-[calc(3.5rem+var(--demo-line,0px))] z-50 m-0 flex list-none flex-col p-4 outline-none max-md:px-2 md:top-auto md:right-0 md:bottom-0 md:left-auto md:w-md"
      />
    </Radix.Provider>
  )
}

function Toast({ toast }: { toast: ShownToast }) {
  const t = useWords()
  const destructive = toast.variant === 'destructive'
  const Icon = destructive ? CircleAlert : CircleCheck
  return (
    <Radix.Root
      open={toast.open}
      {...(toast.action && { duration: ACTION_DURATION })}
      onOpenChange={(open) => !open && dismissToast(toast.id)}
      className={cx(
        'toast flex items-start gap-3 rounded-md border py-2 pr-1.5 pl-4 shadow-raised max-md:py-0.5',
        destructive
          ? 'border-negative-strong bg-negative-strong text-on-negative'
          : 'border-line bg-surface text-ink',
      )}
    >
      <Icon aria-hidden="true" className={cx('mt-2.5 size-5 shrink-0', !destructive && 'text-positive')} />
      <div className="grid min-w-0 flex-1 gap-0.5 py-2">
        <Radix.Title className="font-semibold max-md:text-sm">{toast.title}</Radix.Title>
        {toast.description && <Radix.Description className="text-sm">{toast.description}</Radix.Description>}
        {toast.action && (
          <Radix.Action asChild altText={toast.action.label}>
            <Button
              variant="secondary"
              size="sm"
              onClick={toast.action.onPress}
              className="mt-1.5 justify-self-start"
            >
              {toast.action.label}
            </Button>
          </Radix.Action>
        )}
      </div>
      <Radix.Close asChild>
        <IconButton label={t('site.toast.dismiss')} className="hover:bg-transparent">
          <X aria-hidden="true" className="size-5" />
        </IconButton>
      </Radix.Close>
    </Radix.Root>
  )
}
