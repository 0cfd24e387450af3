import { Search } from 'lucide-react'
import { useState } from 'react'
import { TextField } from '#web/kit/TextField.tsx'
import { useTypedEarly } from '#web/kit/use-typed-early.ts'
import { helpCopy } from '#web/words/help.ts'
import { findHelp } from './find-help.ts'
import { TopicList } from './HelpTopics.tsx'
import { SupportButtons } from './SupportButtons.tsx'

/** Shows what it finds while one types; everything it looks at is on this page already. */
export function HelpSearch() {
  const [search, setSearch] = useState('')
  const field = useTypedEarly(setSearch)
  const { label, placeholder, results } = helpCopy.search
  const asked = search.trim()
  const found = findHelp(asked)
  return (
    <search className="grid gap-4">
      <TextField
        ref={field}
        label={label}
        type="search"
        placeholder={placeholder}
        autoComplete="off"
        prefix={<Search className="size-4" />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <p role="status" className={found.length > 0 ? 'text-soft text-sm' : 'sr-only'}>
        {asked && `${found.length} ${found.length === 1 ? 'result' : 'results'}`}
      </p>
      {found.length > 0 && (
        <section aria-label={results}>
          <TopicList topics={found} />
        </section>
      )}
      {asked && found.length === 0 && <NothingFound asked={asked} />}
    </search>
  )
}

function NothingFound({ asked }: { asked: string }) {
  const { nothing, advice } = helpCopy.search
  return (
    <div className="grid gap-2 rounded-md bg-sunken p-4">
      <p className="font-semibold">
        {nothing} “{asked}”
      </p>
      <p>{advice}</p>
      <SupportButtons />
    </div>
  )
}
