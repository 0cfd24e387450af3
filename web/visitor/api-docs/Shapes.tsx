import { ChevronDown } from 'lucide-react'
import type { OpenApi, Schema } from '#contract/openapi/types.ts'
import { anchorOfShape } from './anchors.ts'
import { Fields } from './Fields.tsx'
import { fieldsOf } from './fields.ts'
import { Code } from './Words.tsx'

/** The shapes that have a name, each once. */
export function Shapes({ api }: { api: OpenApi }) {
  const shapes = api.components.schemas
  return (
    <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
      {Object.entries(shapes).map(([name, shape]) => (
        <li key={name}>
          <details id={anchorOfShape(name)} className="group">
            <summary className="flex min-h-11 items-center justify-between gap-3 px-4 py-2 hover:bg-sunken group-open:bg-sunken md:px-5">
              <h3 className=" font-medium tracking-normal">
                <Code>{name}</Code>
              </h3>
              <ChevronDown aria-hidden="true" className="size-4 text-soft group-open:rotate-180" />
            </summary>
            <div className="grid grid-cols-1 gap-5 px-4 pt-2 pb-6 md:px-5">
              {variantsOf(shape).map((variant) => (
                <Fields key={JSON.stringify(variant)} fields={fieldsOf(variant, shapes)} />
              ))}
            </div>
          </details>
        </li>
      ))}
    </ul>
  )
}

/** A message of the live channel is one of several. */
function variantsOf(shape: Schema): readonly Schema[] {
  return shape.oneOf ?? [shape]
}
