/** `npm run dev`: the server, restarted on every change, and Vite in front of it. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureInstalled, main, nodePath, root, say, toolEnvironment } from './bootstrap.mjs'
import { readEnvFile } from './env-file.mjs'

await main(async () => {
  readEnvFile()
  await ensureInstalled()
  startBoth()
})

function startBoth() {
  const port = process.env.PORT || '3000'
  const env = toolEnvironment({ PORT: port, API_URL: `http://127.0.0.1:${port}` })
  const options = { cwd: root, env, stdio: 'inherit', detached: true }
  const programs = [
    ['--watch', '--watch-preserve-output', join(root, 'server/main.ts')],
    [join(root, 'node_modules/vite/bin/vite.js')],
  ]
  const children = programs.map((program) => spawn(nodePath(), program, options))

  let ending = false
  /** When one ends, stops the other too, each with everything it started. */
  const end = (code) => {
    if (ending) return
    ending = true
    process.exitCode = code
    for (const child of children) if (child.exitCode === null) child.kill('SIGTERM')
    if (code !== 0) say('The server or Vite ended, so the other was stopped too.')
  }
  for (const child of children) child.on('exit', (code) => end(code ?? 1))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(0))
}
