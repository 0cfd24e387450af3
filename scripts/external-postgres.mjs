/** A throwaway PostgreSQL installed on this machine, to test against what operators use instead of the embedded one. */
import { execFileSync } from 'node:child_process'
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

/** Where Debian installs each major version. */
const debian = '/usr/lib/postgresql'

/** Starts it. Returns undefined if PostgreSQL 15 or newer is not installed; throws if it does not start. */
export function startExternalPostgres() {
  const bin = findBin()
  return bin && start(bin, accountToUse())
}

/** The folder of its programs. Undefined if PostgreSQL 15 or newer is not installed. */
export function findBin() {
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const onPath = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'pg_ctl'))
  // A link on the path leads to the folder that has all programs.
  const linked = onPath.filter(existsSync).map((path) => dirname(realpathSync(path)))
  const folders = [...versions.map((version) => join(debian, version, 'bin')), ...linked]
  return folders.find((bin) => majorOf(bin) >= 15)
}

function majorOf(bin) {
  if (['initdb', 'pg_ctl', 'postgres', 'psql'].some((name) => !existsSync(join(bin, name)))) return 0
  const version = execFileSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' })
  return Number(/\d+/.exec(version)?.[0])
}

/** PostgreSQL does not run as root. */
export function accountToUse() {
  if (process.geteuid?.() !== 0) return {}
  const users = readFileSync('/etc/passwd', 'utf8')
  const [, uid, gid] =
    /^postgres:[^:]*:(\d+):(\d+):/m.exec(users) ?? /^nobody:[^:]*:(\d+):(\d+):/m.exec(users)
  return { uid: Number(uid), gid: Number(gid) }
}

function start(bin, account) {
  const folder = mkdtempSync(join(tmpdir(), 'unspent-external-'))
  const data = join(folder, 'data')
  const password = randomBytes(12).toString('hex')
  const env = { PATH: process.env.PATH, LC_ALL: 'C', PGPASSFILE: '/dev/null', PGPASSWORD: password }
  const run = (program, args, options) =>
    execFileSync(join(bin, program), args, { ...account, cwd: '/', env, ...options })
  // The server would keep a pipe to pg_ctl open.
  const control = (...args) => run('pg_ctl', ['-D', data, '-w', ...args], { stdio: 'ignore' })
  const stop = () => {
    process.off('exit', stop)
    if (existsSync(join(data, 'postmaster.pid'))) control('stop', '-m', 'immediate')
    rmSync(folder, { recursive: true, force: true })
  }
  process.on('exit', stop)
  try {
    const passwordFile = join(folder, 'password')
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
    if (account.uid) for (const path of [folder, passwordFile]) chownSync(path, account.uid, account.gid)
    // With C.UTF-8, letters beyond ASCII have a lower case, as in the databases of most systems.
    const locale = ['--encoding=UTF8', '--locale=C.UTF-8']
    const security = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
    run('initdb', ['-D', data, '--no-sync', ...locale, ...security], { stdio: 'pipe' })
    // Nothing in it outlives the tests, so nothing has to reach the disk.
    const settings = `-c listen_addresses= -c unix_socket_directories=${folder} -c fsync=off -c max_connections=200`
    control('start', '-o', settings, '-l', join(folder, 'log'))
    const role = `CREATE ROLE unspent LOGIN CREATEDB PASSWORD '${password}'`
    run('psql', ['-h', folder, '-U', 'postgres', '-d', 'postgres', '-X', '-q', '-c', role], { stdio: 'pipe' })
  } catch (error) {
    stop()
    throw error
  }
  const url = `postgres://unspent:${password}@${encodeURIComponent(folder)}:5432/postgres`
  return { url, version: majorOf(bin), stop }
}
