/** A throwaway PostgreSQL of the machine's own, to run the server's tests on what operators use in place of ours. */
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { aptInstall } from './apt.mjs'

/**
 * Starts it.
 *
 * @returns `{ url, version, stop }`, or `{ missing }`, which says why there is none.
 */
export async function startExternalPostgres() {
  const bin = findBin() ?? ((await aptInstall('postgresql')) ? findBin() : undefined)
  if (!bin) return { missing: 'no PostgreSQL 15 or newer is installed, and only root can install one' }
  const account = accountToUse()
  if (!account) return { missing: 'PostgreSQL does not run as root, and there is no user postgres or nobody' }
  try {
    return start(bin, account)
  } catch (error) {
    return {
      missing: `${join(bin, 'postgres')} did not start: ${String(error.stderr || error.message).trim()}`,
    }
  }
}

function findBin() {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const onPath = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const folders = [...versions.map((version) => join(debian, version, 'bin')), ...onPath.map(realFolder)]
  return folders.find((folder) => folder && majorOf(folder) >= 15)
}

/** Where pg_ctl of this folder really is: its companions stand beside it and not beside the link. */
function realFolder(folder) {
  const path = join(folder, 'pg_ctl')
  return existsSync(path) ? dirname(realpathSync(path)) : undefined
}

function majorOf(folder) {
  if (['initdb', 'pg_ctl', 'psql'].some((name) => !existsSync(join(folder, name)))) return 0
  const { stdout } = spawnSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' })
  return Number(/(\d+)[.\d]*/.exec(stdout ?? '')?.[1] ?? 0)
}

function accountToUse() {
  if (process.geteuid?.() !== 0) return {}
  const users = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (uid) return { uid: Number(uid), gid: Number(gid) }
  }
  return undefined
}

function start(bin, account) {
  const folder = mkdtempSync(join(tmpdir(), 'unspent-external-'))
  const data = join(folder, 'data')
  const run = (program, args, input) =>
    execFileSync(join(bin, program), args, {
      ...account,
      cwd: '/',
      env: { PATH: process.env.PATH, LC_ALL: 'C', PGPASSFILE: '/dev/null', PGPASSWORD: password },
      input: input ?? '',
      stdio: ['pipe', program === 'pg_ctl' ? 'ignore' : 'pipe', program === 'pg_ctl' ? 'ignore' : 'pipe'],
    })
  const password = randomBytes(12).toString('hex')
  const stop = () => {
    process.off('exit', stop)
    if (existsSync(join(data, 'postmaster.pid'))) run('pg_ctl', ['stop', '-D', data, '-m', 'immediate', '-w'])
    rmSync(folder, { recursive: true, force: true })
  }
  process.on('exit', stop)
  try {
    const passwordFile = join(folder, 'password')
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
    if (account.uid) for (const path of [folder, passwordFile]) chownSync(path, account.uid, account.gid)
    run('initdb', [
      '-D',
      data,
      '-U',
      'postgres',
      '-A',
      'scram-sha-256',
      `--pwfile=${passwordFile}`,
      '-E',
      'UTF8',
      // Letters beyond ASCII have a lower case too, as in every database that an operator's system makes.
      '--locale=C.UTF-8',
      '-N',
    ])
    // Nothing in it outlives the tests, so nothing has to reach the disk.
    const settings = `-c listen_addresses= -c unix_socket_directories=${folder} -c fsync=off -c max_connections=200`
    run('pg_ctl', ['start', '-D', data, '-w', '-o', settings, '-l', join(folder, 'log')])
    const role = `CREATE ROLE unspent LOGIN CREATEDB PASSWORD '${password}'`
    run('psql', ['-h', folder, '-U', 'postgres', '-d', 'postgres', '-X', '-q', '-v', 'ON_ERROR_STOP=1'], role)
  } catch (error) {
    stop()
    throw error
  }
  const url = `postgres://unspent:${password}@${encodeURIComponent(folder)}:5432/postgres`
  return { url, version: majorOf(bin), stop }
}
