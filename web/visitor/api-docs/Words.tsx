/** A text with `code` in it. */
export function Words({ children }: { children: string }) {
  return children.split('`').map((part, at) => {
    const key = `${at} ${part}`
    return at % 2 === 1 ? <Code key={key}>{part}</Code> : part
  })
}

/** What stands in a program as it stands here; a long path breaks after its slashes. */
export function Code({ children }: { children: string }) {
  const parts = children.split(/(?<=\/)/)
  return (
    <code className="wrap-anywhere font-mono text-[0.9em] text-ink">
      {parts.flatMap((part, at) => (at === 0 ? [part] : [<wbr key={`${at} ${part}`} />, part]))}
    </code>
  )
}
