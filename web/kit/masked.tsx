/** Keeps a masked number like "•••• 6789" on one line. */
export const onOneLine = (text: string): string => text.replaceAll('•••• ', '••••\u00a0')

/** A masked number or account. Its bullets are set apart, because they look like a dash in small type. */
export function Masked({ text }: { text: string }) {
  let end = 0
  return onOneLine(text)
    .split(/(•{3,})/)
    .map((part) => {
      end += part.length
      return part.startsWith('•') ? (
        <span key={end} className="ml-[0.16em] tracking-[0.16em]">
          {part}
        </span>
      ) : (
        part
      )
    })
}
