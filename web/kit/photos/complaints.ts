/** Why files were not taken, by the sentence that says so. */
interface Complaints {
  notImages: number
  full: number
  tooLarge: string[]
}

export const noComplaints = (): Complaints => ({ notImages: 0, full: 0, tooLarge: [] })

/** Names that one sentence bears. */
const NAMED = 3

/** In sentences; undefined when everything was taken. */
export function complain(
  { notImages, full, tooLarge }: Complaints,
  limits: { max: number; maxBytes: number },
): string | undefined {
  const sentences: string[] = []
  if (notImages > 0) sentences.push('Only images can be added.')
  if (tooLarge.length > 0) {
    sentences.push(`Larger than ${inMegabytes(limits.maxBytes)} and not added: ${list(tooLarge)}.`)
  }
  if (full > 0) {
    const left = full === 1 ? 'One more was' : `${full} more were`
    sentences.push(`No more than ${limits.max} photos can be added. ${left} left out.`)
  }
  return sentences.join(' ') || undefined
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).join(', ')
  return names.length > NAMED ? `${shown} and ${names.length - NAMED} more` : shown
}

function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`
}
