import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, dirname } from 'node:path'
import { text } from 'node:stream/consumers'

/** A block of commands in a document, and the output shown after it. */
export interface Step {
  /** The line on which the commands start. */
  readonly line: number
  readonly commands: string
  readonly prints?: { readonly kind: 'json' | 'text'; readonly text: string }
}

/** The commands of a Markdown document, in order. */
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

/** Runs the steps in one shell. Returns what each printed; fewer if one failed. */
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
  // HTTP headers end in CRLF.
  return { printed: printed.replaceAll('\r\n', '\n').split(END).slice(0, -1), complaints }
}

/** The pattern of a documented output, in which `…` matches any text. */
export function patternOf(documented: string): RegExp {
  const escaped = documented.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('…', '[^\\n]+')}$`)
}
