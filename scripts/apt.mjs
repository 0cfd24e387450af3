/** What the tests need of the machine and may install: on Debian, as root. */
import { spawnSync } from 'node:child_process'
import { runQuietly, say } from './bootstrap.mjs'

/** Whether a program is on the path. */
export function has(program) {
  return spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0
}

/** Installs Debian packages, where we may. Answers whether it did. */
export async function aptInstall(...packages) {
  if (process.geteuid?.() !== 0 || !has('apt-get')) return false
  say(`Installing ${packages.join(' ')} …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = () => runQuietly('apt-get', ['install', '-y', '--no-install-recommends', ...packages], env)
  if ((await install()).status === 0) return true
  await runQuietly('apt-get', ['update'], env)
  return (await install()).status === 0
}
