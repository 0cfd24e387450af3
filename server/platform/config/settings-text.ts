import { type Setting, settings } from './settings.ts'

/** All settings as a table in Markdown, for `docs/operating.md`. */
export function settingsTable(): string {
  const rows = Object.entries<Setting<unknown>>(settings).map(([name, entry]) => {
    const unset = entry.default === undefined ? '–' : `\`${entry.default}\``
    return `| \`${name}\` | ${unset} | ${entry.doc} It may hold ${entry.allowed}. |`
  })
  return ['| variable | default | what it is |', '| --- | --- | --- |', ...rows, ''].join('\n')
}

/** All settings as the file `.env.example`, each with its default or an empty one behind a comment's sign. */
export function settingsExample(): string {
  const entries = Object.entries<Setting<unknown>>(settings).map(
    ([name, entry]) => `# ${entry.doc}\n# It may hold ${entry.allowed}.\n#${name}=${entry.default ?? ''}\n`,
  )
  return `${EXAMPLE_HEAD}\n${entries.join('\n')}`
}

const EXAMPLE_HEAD = `# Copy this file to .env and set there what you want to change: npm start, npm run dev and npm run admin read it.
# A variable of the environment wins over it. A value is the rest of its line; quotes around all of it are dropped.
# Keep .env to yourself (chmod 600): it may hold passwords and keys.
`
