import { describe, expect, it } from 'vitest'
import { createLog } from './log.ts'

function logOf(write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] {
  const lines: string[] = []
  write(createLog('trace', { write: (line) => void lines.push(line) }))
  return lines.map((line) => JSON.parse(line))
}

describe('a line of the log', () => {
  it('has only the listed fields', () => {
    const [line] = logOf((log) =>
      log.info(
        { reqId: 'r', status: 200, body: 'secret', headers: { cookie: 'secret' }, q: 'secret' },
        'said',
      ),
    )
    expect(line).toEqual({ level: 'info', time: expect.any(String), reqId: 'r', status: 200, msg: 'said' })
  })

  it('describes errors without card numbers or the input of a parser', () => {
    const errors = [new Error('card 6006 4930 1234 5678 is bad')]
    try {
      JSON.parse('secret text')
    } catch (error) {
      errors.push(error as Error)
    }
    const lines = logOf((log) => {
      for (const err of errors) log.error({ err }, 'broken')
    })
    expect(JSON.stringify(lines)).not.toMatch(/6006|secret text/)
    expect(lines[1]).toMatchObject({ err: { type: 'SyntaxError', at: expect.any(Array) } })
  })
})
