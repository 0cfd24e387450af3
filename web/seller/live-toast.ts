import type { LiveMessage } from '#contract/live.ts'
import { toast } from '#web/kit/toast.ts'
import { translate } from '#web/words/words.ts'
import { cutPreview } from '../chat/cut-preview.ts'

/** Toasts what a seller should see on every screen: a reply from support, and a new offer. */
export function showLiveToast(message: LiveMessage): void {
  const t = translate()
  if (message.type === 'NEW_CHAT_MESSAGE') {
    toast({
      title: t('site.supportChat.newMessage'),
      description: cutPreview(message.message) || t('chat.photo'),
    })
  } else if (message.type === 'STATUS_UPDATE' && message.status === 'offered') {
    toast({ title: t('processing.offer.toast'), description: t('processing.offer.toastText') })
  }
}
