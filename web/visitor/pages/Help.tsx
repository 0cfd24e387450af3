import { ChevronRight, Mail, MessageCircle, Search } from 'lucide-react'
import { useState } from 'react'
import { ButtonLink, buttonClass, TextLink } from '#web/kit/Button.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { Ledger, LedgerRow, PageHeader, Panel } from '#web/kit/Panel.tsx'
import { Link } from '#web/kit/router/index.ts'
import { TextField } from '#web/kit/TextField.tsx'
import { useTypedEarly } from '#web/kit/use-typed-early.ts'
import { faqCopy } from '#web/words/faq.ts'
import { helpCopy, type Topic, type TopicGroup } from '#web/words/help.ts'
import { paths } from '#web/words/paths.ts'
import { support } from '#web/words/support.ts'
import { findHelp } from './find-help.ts'
import { QuestionList } from './QuestionList.tsx'

export default function Help() {
  const { title, intro, topics, groups } = helpCopy
  return (
    <div className="measure grid grid-cols-1 gap-12 py-8 md:py-12">
      <PageTitle>{title}</PageTitle>
      <div className="grid gap-6">
        <PageHeader title={title}>{intro}</PageHeader>
        <div className="max-w-3xl">
          <HelpSearch />
        </div>
      </div>
      <HelpTopics title={topics} groups={groups} />
      <div className="grid grid-cols-1 items-start gap-12 lg:grid-cols-[minmax(0,1fr)_25rem]">
        <FrequentlyAsked />
        <AskPerson />
      </div>
    </div>
  )
}

function FrequentlyAsked() {
  const shown: readonly string[] = helpCopy.faq.shown
  return (
    <section aria-labelledby="query" className="grid gap-4">
      <h2 id="query" className="text-2xl">
        {helpCopy.faq.title}
      </h2>
      <QuestionList questions={faqCopy.questions.filter(({ id }) => shown.includes(id))} />
      <TextLink to={paths.faq} className="inline-flex min-h-11 items-center justify-self-start">
        {helpCopy.faq.all}
      </TextLink>
    </section>
  )
}

/** Shows results while you type. Everything it searches is already loaded. */
function HelpSearch() {
  const [search, setSearch] = useState('')
  const field = useTypedEarly(setSearch)
  const { label, placeholder, results } = helpCopy.search
  const query = search.trim()
  const found = findHelp(query)
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
        {query && `${found.length} ${found.length === 1 ? 'result' : 'results'}`}
      </p>
      {found.length > 0 && (
        <section aria-label={results}>
          <TopicList topics={found} />
        </section>
      )}
      {query && found.length === 0 && <NothingFound query={query} />}
    </search>
  )
}

function NothingFound({ query }: { query: string }) {
  const { nothing, advice } = helpCopy.search
  return (
    <div className="grid gap-2 rounded-md bg-sunken p-4">
      <p className="font-semibold">
        {nothing} “{query}”
      </p>
      <p>{advice}</p>
      <SupportButtons />
    </div>
  )
}

function HelpTopics({ title, groups }: { title: string; groups: readonly TopicGroup[] }) {
  return (
    <section aria-labelledby="topics" className="grid gap-6">
      <h2 id="topics" className="text-2xl">
        {title}
      </h2>
      <div className="grid grid-cols-1 gap-x-12 gap-y-10 md:grid-cols-2">
        {groups.map((group) => (
          <section key={group.title} className="grid content-start gap-2">
            <h3 className="font-semibold text-lg">{group.title}</h3>
            <TopicList topics={group.topics} />
          </section>
        ))}
      </div>
    </section>
  )
}

/** Keyed by title, because a topic and a question may lead to the same address. */
function TopicList({ topics }: { topics: readonly Topic[] }) {
  return (
    <ul className="divide-y divide-line border-line border-y">
      {topics.map(({ title, text, to }) => (
        <li key={title}>
          <Link to={to} className="group flex items-center gap-3 py-3">
            <span className="grid min-w-0 flex-1 gap-0.5">
              <span className="font-medium group-hover:text-accent group-hover:underline">{title}</span>
              <span className="line-clamp-2 text-soft text-sm">{text}</span>
            </span>
            <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-soft" />
          </Link>
        </li>
      ))}
    </ul>
  )
}

function AskPerson() {
  const { title, text, times } = helpCopy.contact
  return (
    <Panel aria-labelledby="ask" className="grid gap-4">
      <h2 id="ask" className="text-2xl">
        {title}
      </h2>
      <Ledger>
        {times.map(({ name, value }) => (
          <LedgerRow key={name} name={name}>
            {value}
          </LedgerRow>
        ))}
      </Ledger>
      <SupportButtons />
      <div className="grid gap-2 text-soft text-sm">
        {support.emailAddress && <p>{support.emailAddress}</p>}
        <p>{text}</p>
      </div>
    </Panel>
  )
}

function SupportButtons() {
  const { contactSupport, email } = helpCopy.contact
  return (
    <div className="grid gap-3 sm:flex sm:flex-wrap">
      <ButtonLink to={paths.contact} icon={<MessageCircle aria-hidden="true" className="size-5" />}>
        {contactSupport}
      </ButtonLink>
      <a
        href={support.emailAddress ? `mailto:${support.emailAddress}` : paths.contact}
        className={buttonClass({ variant: 'secondary' })}
      >
        <Mail aria-hidden="true" className="size-5" />
        {email}
      </a>
    </div>
  )
}
