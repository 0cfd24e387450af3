import { Fragment, type ReactNode } from 'react'
import type { Key } from '#words/keys.ts'
import type { Values } from '#words/translate.ts'
import { useWords } from './words.ts'

interface RichProps {
  id: Key
  values?: Values
  /** What each tag of the text becomes: `<link>Terms</link>` calls `tags.link('Terms')`. */
  tags: Readonly<Record<string, (text: string) => ReactNode>>
}

/** A text with links or other elements inside its sentences. A value that looks like a tag is not one. */
export function Rich({ id, values = {}, tags }: RichProps) {
  const t = useWords()
  const typed: string[] = []
  const marked = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? `\uE000${typed.push(value) - 1}\uE001` : value,
  ])
  const fill = (part: string) => part.replace(/\uE000(\d+)\uE001/g, (_, index) => typed[index] ?? '')
  // The parts alternate: plain text, the name of a tag, its content.
  const parts = t(id, Object.fromEntries(marked)).split(/<(\w+)>(.*?)<\/\1>/s)
  return parts.map((part, index) => {
    if (index % 3 === 1) return null
    const name = index % 3 === 2 ? parts[index - 1] : undefined
    return <Fragment key={index}>{name ? tags[name]?.(fill(part)) : fill(part)}</Fragment>
  })
}
