import { ChevronRight, Mail, MessageCircle, Search } from 'lucide-react'
import { useState } from 'react'
import { OpeningState } from '#web/chat/OpeningState.tsx'
import { ButtonLink, buttonClass, TextLink } from '#web/kit/Button.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { Ledger, LedgerRow, PageHeader, Panel } from '#web/kit/Panel.tsx'
import { Link } from '#web/kit/router/index.ts'
import { TextField } from '#web/kit/TextField.tsx'
import { useTypedEarly } from '#web/kit/use-typed-early.ts'
import { paths } from '#web/words/paths.ts'
import { shopBrand } from '#web/words/shop-brand.ts'
import { inLocale, useWords } from '#web/words/words.ts'
import { findHelp, type HelpEntry, helpEntries } from './find-help.ts'
import { QuestionList } from './QuestionList.tsx'
import { topicGroups } from './topics.ts'

export default function Help() {
  const t = useWords()
  return (
    <div className="measure grid grid-cols-1 gap-12 py-8 md:py-12">
      <PageTitle>{t('help.title')}</PageTitle>
      <div className="grid gap-6">
        <PageHeader title={t('help.title')}>{t('help.intro')}</PageHeader>
        <div className="max-w-3xl">
          <HelpSearch />
        </div>
      </div>
      <HelpTopics />
      <div className="grid grid-cols-1 items-start gap-12 lg:grid-cols-[minmax(0,1fr)_25rem]">
        <FrequentlyAsked />
        <AskPerson />
      </div>
    </div>
  )
}

function FrequentlyAsked() {
  const t = useWords()
  return (
    <section aria-labelledby="query" className="grid gap-4">
      <h2 id="query" className="text-2xl">
        {t('help.faq.title')}
      </h2>
      <QuestionList questions={['fees', 'payout-methods', 'payout-time', 'partial-balance']} />
      <TextLink to={paths.faq} className="inline-flex min-h-11 items-center justify-self-start">
        {t('help.faq.all')}
      </TextLink>
    </section>
  )
}

/** Shows results while you type. Everything it searches is already loaded. */
function HelpSearch() {
  const [search, setSearch] = useState('')
  const field = useTypedEarly(setSearch, { filters: true })
  const t = useWords()
  const query = search.trim()
  const found = findHelp(query, helpEntries(t))
  return (
    <search className="grid gap-4">
      <TextField
        ref={field}
        label={t('help.search.label')}
        type="search"
        placeholder={t('help.search.placeholder')}
        autoComplete="off"
        prefix={<Search className="size-4" />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <p role="status" className={found.length > 0 ? 'text-soft text-sm' : 'sr-only'}>
        {query && t('help.search.count', { count: found.length })}
      </p>
      {found.length > 0 && (
        <section aria-label={t('help.search.results')}>
          <TopicList topics={found} />
        </section>
      )}
      {query && found.length === 0 && <NothingFound query={query} />}
    </search>
  )
}

function NothingFound({ query }: { query: string }) {
  const t = useWords()
  return (
    <div className="grid gap-2 rounded-md bg-sunken p-4">
      <p className="font-semibold">{t('help.search.nothing', { query })}</p>
      <p>{t('help.search.advice')}</p>
      <SupportButtons />
    </div>
  )
}

function HelpTopics() {
  const t = useWords()
  return (
    <section aria-labelledby="topics" className="grid gap-6">
      <h2 id="topics" className="text-2xl">
        {t('help.topics')}
      </h2>
      <div className="grid grid-cols-1 gap-x-12 gap-y-10 md:grid-cols-2">
        {topicGroups.map(({ title, topics }) => (
          <section key={title} className="grid content-start gap-2">
            <h3 className="font-semibold text-lg">{t(title)}</h3>
            <TopicList
              topics={topics.map(({ title, text, to }) => ({ title: t(title), text: t(text), to }))}
            />
          </section>
        ))}
      </div>
    </section>
  )
}

/** Keyed by title, because a topic and a question may lead to the same address. */
function TopicList({ topics }: { topics: readonly HelpEntry[] }) {
  return (
    <ul className="divide-y divide-line border-line border-y">
      {topics.map(({ title, text, to }) => (
        <li key={title}>
          <Link to={to} className="group flex items-center gap-3 py-3">
            <span className="grid min-w-0 flex-1 gap-0.5">
              <span className="font-medium group-hover:text-accent group-hover:underline">{title}</span>
              <span className="line-clamp-3 text-pretty text-soft text-sm">{text}</span>
            </span>
            <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-soft" />
          </Link>
        </li>
      ))}
    </ul>
  )
}

function AskPerson() {
  const t = useWords()
  return (
    <Panel aria-labelledby="ask" className="grid gap-4">
      <h2 id="ask" className="text-2xl">
        {t('help.ask.title')}
      </h2>
      <p className="-mb-2 text-soft text-sm">{t('contact.times.title')}</p>
      <Ledger>
        <LedgerRow name={t('help.ask.chatName')}>{t('help.ask.chatTime')}</LedgerRow>
        <LedgerRow name={t('help.ask.emailName')}>{t('help.ask.emailTime')}</LedgerRow>
        <LedgerRow name={t('help.ask.hours')} long>
          {shopBrand.support.hours[t.locale]}
          <OpeningState />
        </LedgerRow>
      </Ledger>
      <SupportButtons />
      <div className="grid gap-2 text-soft text-sm">
        {shopBrand.support.email && <p>{shopBrand.support.email}</p>}
        <p className="text-balance">{t('help.ask.text')}</p>
      </div>
    </Panel>
  )
}

function SupportButtons() {
  const t = useWords()
  const { email } = shopBrand.support
  return (
    <div className="grid gap-3 sm:flex sm:flex-wrap">
      <ButtonLink to={paths.contact} icon={<MessageCircle aria-hidden="true" className="size-5" />}>
        {t('help.ask.contact')}
      </ButtonLink>
      <a
        href={email ? `mailto:${email}` : inLocale(paths.contact)}
        className={buttonClass({ variant: 'secondary' })}
      >
        <Mail aria-hidden="true" className="size-5" />
        {t('help.ask.email')}
      </a>
    </div>
  )
}
