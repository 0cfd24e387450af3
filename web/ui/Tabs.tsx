import { Tabs as Primitive } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

interface TabsProps {
  tabs: readonly { value: string; label: ReactNode; content: ReactNode }[]
  value: string
  onValueChange: (value: string) => void
  /** What the tabs are about, for a screen reader. */
  name: string
}

export function Tabs({ tabs, value, onValueChange, name }: TabsProps) {
  return (
    <Primitive.Root value={value} onValueChange={(next) => onValueChange(String(next))}>
      <Primitive.List aria-label={name} className="relative flex gap-1 overflow-x-auto border-line border-b">
        {tabs.map((tab) => (
          <Primitive.Tab
            key={tab.value}
            value={tab.value}
            className="flex min-h-12 items-center gap-2 whitespace-nowrap border-transparent border-b-2 px-3 font-medium text-soft hover:text-ink focus-visible:-outline-offset-2 data-active:border-accent data-active:text-ink md:px-4"
          >
            {tab.label}
          </Primitive.Tab>
        ))}
      </Primitive.List>
      {tabs.map((tab) => (
        <Primitive.Panel key={tab.value} value={tab.value} className="pt-6 focus-visible:outline-offset-4">
          {tab.content}
        </Primitive.Panel>
      ))}
    </Primitive.Root>
  )
}
