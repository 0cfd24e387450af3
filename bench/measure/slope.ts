/**
 * How a cost grows with a size: the slope of the straight line through both as logarithms. 0 for what costs the same at
 * any size, 1 for what doubles with it.
 */
export function slope(points: readonly (readonly [size: number, cost: number])[]): number {
  const logs = points.map(([size, cost]) => [Math.log(size), Math.log(cost)] as const)
  const mean = (of: 0 | 1) => logs.reduce((sum, log) => sum + log[of], 0) / logs.length
  const [x, y] = [mean(0), mean(1)]
  const rise = logs.reduce((sum, log) => sum + (log[0] - x) * (log[1] - y), 0)
  return rise / logs.reduce((sum, log) => sum + (log[0] - x) ** 2, 0)
}
