import { useQueryClient } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import { type Note, newNote } from '#contract/sellers.ts'
import { may } from '#domain/roles.ts'
import { toastOf, useCallForm } from '#web/forms/use-call-form.ts'
import { Button, TextLink } from '#web/kit/Button.tsx'
import { Form } from '#web/kit/Form.tsx'
import { call } from '#web/wire/call.ts'
import { refresh } from '#web/wire/read.ts'
import { pathTo } from '#web/words/paths.ts'
import { usePagedList } from '../list/use-paged-list.ts'
import { QueryStatus } from '../shell/QueryStatus.tsx'
import { RelativeTime } from '../shell/RelativeTime.tsx'
import { useStaff } from '../shell/use-staff.ts'
import { ReasonField } from './action-fields.tsx'
import { SellerStateBadge } from './badges.tsx'

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

function NoteForm({ about }: { about: About }) {
  const client = useQueryClient()
  const empty = { ...about, text: '' }
  const { form, sending, submit, field } = useCallForm({
    schema: newNote,
    start: empty,
    send: (body) => call(routes.addNote, { body }),
    onDone: () => {
      form.reset(empty)
      return refresh(client, routes.notes)
    },
    failed: toastOf('Note Not Added', 'The note could not be saved.'),
  })
  return (
    <Form onSubmit={submit} className="grid gap-2 rounded-md bg-sunken p-3">
      <ReasonField
        label="New note"
        does="add it"
        rows={2}
        placeholder="Only staff see it"
        autoFocus={false}
        onEscape={(box) => box.blur()}
        {...field('text')}
      />
      <Button
        type="submit"
        variant="secondary"
        size="sm"
        className="justify-self-end"
        loading={sending.isPending}
      >
        Add note
      </Button>
    </Form>
  )
}
