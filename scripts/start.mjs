/** `npm start`: installs and builds what is missing, then becomes the server. */
import { ensureBuilt, ensureInstalled, StartError, say } from './bootstrap.mjs'
import { readEnvFile } from './env-file.mjs'
import { becomeServer } from './serve.mjs'

try {
  readEnvFile()
  await ensureInstalled()
  await ensureBuilt()
  becomeServer()
} catch (error) {
  if (!(error instanceof StartError)) throw error
  say(error.message)
  process.exitCode = 1
}
