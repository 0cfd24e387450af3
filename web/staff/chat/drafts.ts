/** What was begun and not sent, by thread, as long as the page is open: looking elsewhere loses no text. */
const drafts = new Map<string, string>()

export function draftOf(threadId: string): string {
  return drafts.get(threadId) ?? ''
}

export function keepDraft(threadId: string, text: string): void {
  if (text) drafts.set(threadId, text)
  else drafts.delete(threadId)
}
