import { toast } from './toast.ts'

/** Copies text and says so in a toast. @param name names the text within a sentence: "your answer" */
export async function copyText(text: string, name: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast({ title: 'Copied', description: `We copied ${name} to the clipboard.` })
  } catch {
    // Without HTTPS there is no clipboard.
    toast({
      title: 'Not Copied',
      description: `Please select ${name} and copy the text yourself.`,
      variant: 'destructive',
    })
  }
}
