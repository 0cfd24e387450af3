import { useMedia } from '#web/kit/media.ts'

/** Whether the list fits beside the open submission. Otherwise each is a separate view. Styles repeat the width. */
export function useSideBySide(): boolean {
  return useMedia('(min-width: 1100px)')
}
