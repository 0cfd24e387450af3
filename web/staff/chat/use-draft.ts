import { useSyncExternalStore } from 'react'
import { useStaff } from '../StaffArea.tsx'
import { type Draft, draftAt, subscribeToDrafts, writeDraft } from './drafts.ts'

/** What this administrator has begun to write in a thread, and how to write on. */
export function useDraft(threadId: string): [Draft, (text: string) => void] {
  const { admin } = useStaff()
  const place = `${admin.id} ${threadId}`
  const draft = useSyncExternalStore(subscribeToDrafts, () => draftAt(place))
  return [draft, (text) => writeDraft(place, text)]
}
