import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { type ErrorCode, errorStatuses } from '#contract/errors.ts'
import type { Answer, OpenApi, Operation } from '#contract/openapi/types.ts'
import { everywhere } from '#contract/refusals.ts'
import { cx } from '#web/kit/cx.ts'
import { nameAt } from './anchors.ts'
import { Fields, Type } from './Fields.tsx'
import { fieldsOf, fieldsTaken } from './fields.ts'
import { Code, Words } from './Words.tsx'

/** The calls of one group. Each opens to what it takes, answers and refuses; the browser's search opens it too. */
export function Operations({ api, group }: { api: OpenApi; group: string }) {
  const operations = Object.entries(api.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({ path, verb, operation })),
  )
  return (
    <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
      {operations
        .filter(({ operation }) => operation.tags.includes(group))
        .map(({ path, verb, operation }) => (
          <li key={operation.operationId}>
            <details id={operation.operationId} className="group">
              <Head verb={verb} path={path} operation={operation} />
              <Body api={api} operation={operation} />
            </details>
          </li>
        ))}
    </ul>
  )
}

function Head({ verb, path, operation }: { verb: string; path: string; operation: Operation }) {
  return (
    <summary className="grid min-h-11 grid-cols-[1fr_auto_auto] items-center gap-x-3 gap-y-1 px-4 py-3 hover:bg-sunken group-open:bg-sunken md:grid-cols-[4rem_minmax(0,1fr)_auto_auto] md:px-5">
      <span className="font-mono font-semibold text-sm uppercase">{verb}</span>
      <h3 className="font-medium tracking-normal max-md:order-1 max-md:col-span-full">
        <Code>{path}</Code>
      </h3>
      <Access operation={operation} />
      <ChevronDown aria-hidden="true" className="size-4 text-soft group-open:rotate-180" />
      <p className="order-1 col-span-full text-soft text-sm md:col-span-2 md:col-start-2">
        <Words>{operation.summary}</Words>
      </p>
    </summary>
  )
}

const accessNames: Readonly<Record<string, string>> = { seller: 'Sellers', staff: 'Staff' }

function Access({ operation: { security } }: { operation: Operation }) {
  const who = security.flatMap((one) => Object.keys(one)).map((name) => accessNames[name])
  return (
    <span
      className={cx(
        'rounded-full px-2.5 py-0.5 font-semibold text-xs',
        who.length === 0 ? 'bg-neutral-quiet text-neutral' : 'bg-accent-quiet text-accent',
      )}
    >
      {who.join(', ') || 'Anyone'}
    </span>
  )
}

function Body({ api, operation }: { api: OpenApi; operation: Operation }) {
  const shapes = api.components.schemas
  const taken = fieldsTaken(operation, shapes)
  const [type] = Object.keys(operation.requestBody?.content ?? {})
  const limit = operation['x-rate-limit']
  return (
    <div className="grid grid-cols-1 gap-5 px-4 pt-2 pb-6 md:px-5">
      <p className="text-soft text-sm">
        <Code>{operation.operationId}</Code>
        {limit && ` · at most ${limit.calls} calls in ${spanOf(limit.seconds)}`}
        {type && ` · takes ${type}`}
      </p>
      {taken.length > 0 && (
        <Part title="Takes">
          <Fields fields={taken} sent />
        </Part>
      )}
      <Part title="Answers">
        {Object.entries(operation.responses).map(
          ([status, answer]) =>
            !('$ref' in answer) && <Answered key={status} status={status} answer={answer} api={api} />,
        )}
      </Part>
      <Part title="Refuses">
        <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {codesOf(operation, api).map((code) => (
            <a key={code} href={`#refusal-${code}`} className="hover:underline">
              <span className="figures text-soft">{errorStatuses[code]}</span> <Code>{code}</Code>
            </a>
          ))}
        </p>
      </Part>
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-1 gap-2">
      <h4 className="font-semibold text-sm">{title}</h4>
      {children}
    </div>
  )
}

function Answered({ status, answer, api }: { status: string; answer: Answer; api: OpenApi }) {
  const [type, content] = Object.entries(answer.content ?? {})[0] ?? []
  if (!content) return null
  const { schema } = content
  const fields = schema.$ref ? [] : fieldsOf(schema, api.components.schemas)
  const file = type !== 'application/json' || (fields.length === 0 && schema.type === 'object')
  return (
    <div className="grid grid-cols-1 gap-2 text-sm">
      <p className="text-soft">
        <span className="figures font-medium text-ink">{status}</span> {answer.description}
        {' · '}
        {file ? type : fields.length > 0 ? 'an object' : <Type schema={schema} />}
        {answer.headers && `, one page of it: ${Object.keys(answer.headers).join(', ')}`}
      </p>
      {fields.length > 0 && <Fields fields={fields} />}
    </div>
  )
}

/** What it refuses, but for what any call may be answered. */
function codesOf({ responses }: Operation, { components }: OpenApi): ErrorCode[] {
  return Object.values(responses)
    .flatMap((answer) => ('$ref' in answer ? [components.responses[nameAt(answer.$ref)]] : []))
    .flatMap(
      (answer) => answer?.content?.['application/json']?.schema.allOf?.[1]?.properties?.code?.enum ?? [],
    )
    .map((code) => code as ErrorCode)
    .filter((code) => !everywhere.includes(code))
}

function spanOf(seconds: number): string {
  if (seconds === 3600) return 'an hour'
  return seconds === 60 ? 'a minute' : `${seconds / 60} minutes`
}
