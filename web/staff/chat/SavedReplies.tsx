import { Combobox } from '@base-ui/react/combobox'
import { Popover } from '@base-ui/react/popover'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { BookmarkCheck, Settings2 } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { SavedReply } from '#contract/saved-replies.ts'
import { Button } from '#web/kit/Button.tsx'
import { controlClass } from '#web/kit/control-class.ts'
import { messageOf } from '#web/wire/errors.ts'
import { read } from '#web/wire/read.ts'
import type { Locale } from '#words/locales.ts'
import { KeyButton } from '../shell/keys/KeyHint.tsx'
import { ManageReplies } from './ManageReplies.tsx'

interface SavedRepliesProps {
  /** The language of the customer. */
  locale: Locale
  /** The text in the reply box: a new saved reply starts with it. */
  written: string
  open: boolean
  onOpenChange: (open: boolean) => void
  onPick: (text: string) => void
  /** Called when Escape has closed the list. */
  onCancel: () => void
}

/** Finds a saved reply by typing. Enter inserts it. */
export function SavedReplies({ locale, written, open, onOpenChange, onPick, onCancel }: SavedRepliesProps) {
  const replies = useQuery(read(routes.savedReplies, {}))
  const [managing, setManaging] = useState(false)
  const search = useRef<HTMLInputElement>(null)

  // A colleague may have added one.
  const refetch = useEffectEvent(() => void replies.refetch())
  useEffect(() => {
    if (open) refetch()
  }, [open])

  function change(next: boolean, { reason }: { reason: string }) {
    onOpenChange(next)
    if (reason === 'escape-key') onCancel()
  }
  function pick(reply: SavedReply) {
    onOpenChange(false)
    onPick(textIn(locale, reply))
  }
  function manage() {
    onOpenChange(false)
    setManaging(true)
  }

  return (
    <>
      <Popover.Root open={open} onOpenChange={change}>
        <Popover.Trigger
          render={<KeyButton action="chatSaved" variant="quiet" size="sm" icon={<BookmarkCheck />} />}
        >
          Saved replies
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Positioner
            side="top"
            align="start"
            sideOffset={8}
            collisionPadding={8}
            className="z-40 outline-none"
          >
            <Popover.Popup
              aria-label="Saved replies"
              initialFocus={search}
              finalFocus={false}
              className="flex max-h-[min(26rem,var(--available-height))] w-88 max-w-[calc(100vw-1rem)] flex-col overflow-hidden rounded-md border border-line bg-surface text-ink shadow-raised outline-none"
            >
              <Choices locale={locale} replies={replies} search={search} onPick={pick} />
              <div className="border-line border-t p-2">
                <Button variant="quiet" size="sm" wide onClick={manage} icon={<Settings2 />}>
                  Manage saved replies
                </Button>
              </div>
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
      <ManageReplies
        open={managing}
        onOpenChange={setManaging}
        replies={replies.data ?? []}
        written={written}
      />
    </>
  )
}

interface ChoicesProps {
  locale: Locale
  replies: Pick<UseQueryResult<SavedReply[]>, 'data' | 'error'>
  search: RefObject<HTMLInputElement | null>
  onPick: (reply: SavedReply) => void
}

function Choices({ locale, replies, search, onPick }: ChoicesProps) {
  return (
    <Combobox.Root
      inline
      open
      items={replies.data ?? []}
      value={null}
      onValueChange={(reply: SavedReply | null) => reply && onPick(reply)}
      itemToStringLabel={({ title }: SavedReply) => title}
      filter={finds}
      autoHighlight
    >
      <div className="p-2">
        <Combobox.Input
          ref={search}
          aria-label="Find a saved reply"
          placeholder="Find a saved reply"
          className={controlClass}
        />
      </div>
      <Combobox.Empty className="px-4 pb-4 text-soft text-sm empty:hidden">
        {sayEmpty(replies)}
      </Combobox.Empty>
      <Combobox.List
        aria-label="Saved replies"
        className="min-h-0 flex-1 overflow-y-auto px-2 pb-2 outline-none empty:hidden"
      >
        {(reply: SavedReply) => <Option key={reply.id} locale={locale} reply={reply} />}
      </Combobox.List>
    </Combobox.Root>
  )
}

/** The text in the customer's language, or else in English. */
function textIn(locale: Locale, { text, spanishText }: SavedReply): string {
  return locale === 'es' ? (spanishText ?? text) : text
}

function Option({ locale, reply }: { locale: Locale; reply: SavedReply }) {
  const isEnglishOnly = locale === 'es' && reply.spanishText === null
  return (
    <Combobox.Item
      value={reply}
      className="grid cursor-pointer gap-0.5 rounded-sm px-2 py-2 text-sm outline-none data-highlighted:bg-accent-quiet"
    >
      <span dir="auto" className="truncate font-semibold">
        {reply.title}
      </span>
      {isEnglishOnly && <span className="text-caution text-xs">Only in English</span>}
      <span dir="auto" className="line-clamp-2 text-soft wrap-anywhere">
        {textIn(locale, reply)}
      </span>
    </Combobox.Item>
  )
}

/** Searches the title and the texts. */
function finds({ title, text, spanishText }: SavedReply, typed: string): boolean {
  const words = typed.toLowerCase().split(/\s+/)
  const all = `${title} ${text} ${spanishText ?? ''}`.toLowerCase()
  return words.every((word) => all.includes(word))
}

function sayEmpty({ data, error }: { data: readonly SavedReply[] | undefined; error: Error | null }): string {
  if (data === undefined)
    return error ? messageOf(error, 'The saved replies could not be loaded.') : 'Loading...'
  return data.length === 0
    ? 'No saved replies yet. Save the answers you give often.'
    : 'No saved reply matches.'
}
