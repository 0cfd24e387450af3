/** One line of the results. */
export interface Finding {
  readonly what: string
  readonly measured: string
  /** The same work done by the simplest possible code, measured in the same run. */
  readonly limit?: string
  readonly goal?: string
  /** Undefined without a goal. */
  readonly reached?: boolean
}

export const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Prints a table of findings. @returns how many goals are missed */
export function printFindings(findings: readonly Finding[]): number {
  printHead('what', 'measured', 'the limit', 'goal')
  for (const { what, measured, limit = '', goal = '', reached } of findings) {
    printRow([what, measured, limit, goal], reached)
  }
  return findings.filter(({ reached }) => reached === false).length
}

export function printHead(...names: readonly string[]): void {
  say(`\n| ${names.join(' | ')} |\n|${' --- |'.repeat(names.length)}`)
}

export function printRow(cells: readonly string[], reached = true): void {
  say(`| ${cells.join(' | ')} |${reached ? '' : ' not reached'}`)
}

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`
export const times = (value: number): string => `${value.toFixed(2)}×`

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** How a cost grows with a size: the slope of the line through their logarithms. 0 if it does not grow, 1 if in proportion. */
export function slope(points: readonly (readonly [size: number, cost: number])[]): number {
  const logs = points.map(([size, cost]) => [Math.log(size), Math.log(cost)] as const)
  const mean = (of: 0 | 1) => logs.reduce((sum, log) => sum + log[of], 0) / logs.length
  const [x, y] = [mean(0), mean(1)]
  const rise = logs.reduce((sum, log) => sum + (log[0] - x) * (log[1] - y), 0)
  return rise / logs.reduce((sum, log) => sum + (log[0] - x) ** 2, 0)
}
