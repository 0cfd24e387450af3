import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, dirname } from 'node:path'
import { text } from 'node:stream/consumers'

/** A block of commands of a document, and what stands after it as what it prints. */
export interface Step {
  /** The line of the document on which the commands begin. */
  readonly line: number
  readonly commands: string
  readonly prints?: { readonly kind: 'json' | 'text'; readonly text: string }
}

/** The commands of a document in Markdown, in its order. */
export function stepsOf(markdown: string): Step[] {
  const steps: Step[] = []
  for (const { index, 1: kind = '', 2: block = '' } of markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)) {
    const last = steps.at(-1)
    if (kind === 'sh') steps.push({ line: markdown.slice(0, index).split('\n').length, commands: block })
    else if (last && (kind === 'json' || kind === 'text')) {
      steps[steps.length - 1] = { ...last, prints: { kind, text: block } }
    }
  }
  return steps
}

const END = '\u0004 end of step \u0004\n'

/** Runs the steps one after the other in one shell. @returns what each printed; fewer when one of them failed */
export async function runSteps(
  steps: readonly Step[],
  { folder, env }: { folder: string; env: Record<string, string> },
): Promise<{ printed: string[]; complaints: string }> {
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const script = steps.map(({ commands }) => `${commands}printf '%s' "$END_OF_STEP"\n`).join('')
  const shell = spawn('bash', ['-euo', 'pipefail', '-s'], {
    cwd: folder,
    env: { PATH: path, END_OF_STEP: END, ...env },
  })
  shell.stdin.end(script)
  const [printed, complaints] = await Promise.all([
    text(shell.stdout),
    text(shell.stderr),
    once(shell, 'close'),
  ])
  // Headers end their lines as HTTP does.
  return { printed: printed.replaceAll('\r\n', '\n').split(END).slice(0, -1), complaints }
}

/** What a document says is printed, as a pattern: `…` stands for whatever it is this time. */
export function patternOf(said: string): RegExp {
  const escaped = said.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('…', '[^\\n]+')}$`)
}
