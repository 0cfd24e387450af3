import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { Note } from '#contract/sellers.ts'
import { may } from '#domain/roles.ts'
import { Button, TextLink } from '#web/kit/Button.tsx'
import { TextArea } from '#web/kit/TextField.tsx'
import { call } from '#web/wire/call.ts'
import { toastFailure } from '#web/wire/errors.ts'
import { refresh } from '#web/wire/read.ts'
import { pathTo } from '#web/words/paths.ts'
import { SellerStateBadge } from './badges.tsx'
import { usePagedList } from './list/use-paged-list.ts'
import { QueryStatus } from './QueryStatus.tsx'
import { RelativeTime } from './RelativeTime.tsx'
import { useStaff } from './use-staff.ts'

type About = { userId: string } | { submissionId: string }

/** The notes about a seller or a submission, newest first, and a box to write one. */
export function Notes({ about }: { about: About }) {
  const { admin } = useStaff()
  const { query, rows } = usePagedList(routes.notes, about, { staleTime: 0 })
  return (
    <section aria-label="Notes" className="grid content-start gap-3">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4">
        <h3 className="text-base">Notes</h3>
        <p className="text-soft text-sm">Only staff see them</p>
      </div>
      {may(admin.role, 'take_notes') && <NoteForm about={about} />}
      <QueryStatus query={query} noun="the notes" />
      {query.isSuccess && rows.length === 0 && <p className="text-soft text-sm">No notes yet.</p>}
      <ol className="divide-y divide-line empty:hidden">
        {rows.map((note) => (
          <NoteItem key={note.id} note={note} isLinked={'userId' in about} />
        ))}
      </ol>
      {query.hasNextPage && (
        <Button
          variant="secondary"
          size="sm"
          className="justify-self-start"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </section>
  )
}

/** @param isLinked links to the submission that the note is about */
function NoteItem({ note, isLinked }: { note: Note; isLinked: boolean }) {
  return (
    <li className="grid gap-1 py-2 text-sm">
      <p className="flex flex-wrap items-center gap-x-2 text-soft">
        <span>
          <strong className="font-medium text-ink">{note.by}</strong> · <RelativeTime at={note.at} />
        </span>
        {note.state && <SellerStateBadge state={note.state} always />}
        {isLinked && note.submissionId && (
          <TextLink to={pathTo('admin', { id: note.submissionId })}>About a submission</TextLink>
        )}
      </p>
      <p className="wrap-anywhere whitespace-pre-line">{note.text}</p>
    </li>
  )
}

/** Maximum length the server accepts. */
const MAX_LENGTH = 2000

function NoteForm({ about }: { about: About }) {
  const client = useQueryClient()
  const [text, setText] = useState('')
  const add = useMutation({
    mutationFn: () => call(routes.addNote, { body: { ...about, text } }),
    onSuccess: () => {
      setText('')
      return refresh(client, routes.notes)
    },
    onError: toastFailure('Note Not Added', 'The note could not be saved.'),
  })
  const isBlank = text.trim() === ''

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!isBlank && !add.isPending) add.mutate()
  }

  return (
    <form method="post" onSubmit={submit} className="grid gap-2">
      <TextArea
        label="New note"
        rows={2}
        maxLength={MAX_LENGTH}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur()
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
        }}
      />
      <Button
        type="submit"
        variant="secondary"
        size="sm"
        className="justify-self-end"
        loading={add.isPending}
        aria-disabled={isBlank || undefined}
      >
        Add note
      </Button>
    </form>
  )
}
