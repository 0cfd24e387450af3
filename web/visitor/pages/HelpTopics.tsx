import { ChevronRight } from 'lucide-react'
import { Link } from '#web/kit/router/index.ts'
import type { Topic, TopicGroup } from '#web/words/help.ts'

export function HelpTopics({ title, groups }: { title: string; groups: readonly TopicGroup[] }) {
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

/** Each topic is one link, as large as its row. A topic and a question may lead to the same place. */
export function TopicList({ topics }: { topics: readonly Topic[] }) {
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
