import { translate } from '#web/words/words.ts'
import { toast } from './toast.ts'

/** Copies text and says so in a toast. @param name names the text within a sentence: "your answer" */
export async function copyText(text: string, name: string): Promise<void> {
  const t = translate()
  try {
    await navigator.clipboard.writeText(text)
    toast({ title: t('site.copied.toast'), description: t('site.copied.toastText', { name }) })
  } catch {
    // Without HTTPS there is no clipboard.
    toast({
      title: t('site.notCopied.toast'),
      description: t('site.notCopied.toastText', { name }),
      variant: 'destructive',
    })
  }
}
