import type { ReactNode } from 'react'
import { docsRoutes } from '#contract/docs.ts'
import { guide } from '#contract/openapi/guide.ts'
import type { OpenApi } from '#contract/openapi/types.ts'
import { textLinkClass } from '#web/kit/Button.tsx'
import { Logo } from '#web/kit/Logo.tsx'
import { PageHeader } from '#web/kit/Panel.tsx'
import { productName } from '#web/words/site.ts'
import { TableOfContents } from '../pages/TableOfContents.tsx'
import { anchorOf } from './anchors.ts'
import { Operations } from './Operations.tsx'
import { Refusals } from './Refusals.tsx'
import { Shapes } from './Shapes.tsx'
import { Words } from './Words.tsx'

/** The description of the calls. It is written when the app is built and needs no script to be read. */
export function ApiDocs({ api }: { api: OpenApi }) {
  const groups = api.tags.map(({ name }) => name)
  const contents = ['Before the first call', ...groups, 'Refusals', 'Shapes']
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="border-line border-b">
        <div className="measure flex h-16 items-center justify-between gap-4">
          <a href="/" aria-label={productName} className="rounded-sm py-2">
            <Logo />
          </a>
          <a
            href={docsRoutes.apiDocument.path}
            className={`inline-flex min-h-11 items-center ${textLinkClass}`}
          >
            OpenAPI 3.1
          </a>
        </div>
      </header>
      <main className="measure grid grid-cols-1 gap-8 py-8 md:py-12">
        <PageHeader title={api.info.title}>
          Everything that the site does, it does by these calls. Version {api.info.version}.
        </PageHeader>
        <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[12rem_minmax(0,1fr)] lg:gap-12">
          <TableOfContents
            sections={contents.map((title) => ({ id: anchorOf(title), title }))}
            className="lg:top-8 max-lg:[&_ol]:columns-2 max-lg:[&_ol]:gap-x-8"
          />
          <div className="grid min-w-0 grid-cols-1 gap-12">
            <Section title="Before the first call">
              <Guide />
            </Section>
            {groups.map((name) => (
              <Section key={name} title={name}>
                <Operations api={api} group={name} />
              </Section>
            ))}
            <Section title="Refusals">
              <Refusals />
            </Section>
            <Section title="Shapes">
              <Shapes api={api} />
            </Section>
          </div>
        </div>
      </main>
    </div>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = anchorOf(title)
  return (
    <section aria-labelledby={id} className="grid grid-cols-1 gap-4">
      <h2 id={id} className="text-2xl">
        {title}
      </h2>
      {children}
    </section>
  )
}

function Guide() {
  return (
    <div className="grid gap-x-12 gap-y-6 md:grid-cols-2">
      {guide.map(({ title, text }) => (
        <div key={title} className="grid content-start gap-1">
          <h3 className="text-lg">{title}</h3>
          <p className="text-soft">
            <Words>{text}</Words>
          </p>
        </div>
      ))}
    </div>
  )
}
