/** What was found out about one thing, as a line of a table. */
export interface Finding {
  readonly what: string
  readonly measured: string
  /** The least that it could have been, in the same run. */
  readonly limit?: string
  readonly goal?: string
  /** Unset where nothing is asked for. */
  readonly reached?: boolean
}

export const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Prints findings. @returns how many goals are missed */
export function sayFindings(findings: readonly Finding[]): number {
  say('\n| what | measured | the limit | goal |')
  say('| --- | --- | --- | --- |')
  for (const { what, measured, limit = '', goal = '', reached } of findings) {
    say(`| ${[what, measured, limit, goal].join(' | ')} |${reached === false ? ' not reached' : ''}`)
  }
  return findings.filter(({ reached }) => reached === false).length
}

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`
export const times = (value: number): string => `${value.toFixed(2)}×`

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
