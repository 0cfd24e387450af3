import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountToUse, findBin } from '../../scripts/external-postgres.mjs'
import { freePort } from './shop.ts'

/** A PostgreSQL of this machine with a standby, behind one address, as several machines would have it. */
export interface ReplicatedPostgres {
  /** For DATABASE_URL. Leads to the primary, then to where `redirect` leads. */
  readonly url: string
  killPrimary(): void
  /** Lets the address lead to the standby, and breaks the connections that are open. */
  redirect(): void
  promote(): void
  stop(): void
}

/** Undefined if PostgreSQL 15 or newer is not installed. */
export const postgresBin: string | undefined = findBin()

/** @param isSynchronous whether a commit waits until the standby has it on its disk */
export async function startReplicated(bin: string, isSynchronous: boolean): Promise<ReplicatedPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'unspent-replicated-'))
  const [primary, standby] = [join(folder, 'primary'), join(folder, 'standby')]
  const [primaryPort, standbyPort] = [await freePort(), await freePort()]
  const password = randomBytes(12).toString('hex')
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  const { uid, gid } = accountToUse()
  if (uid && gid) for (const path of [folder, passwordFile]) chownSync(path, uid, gid)
  const env = { PATH: process.env.PATH, LC_ALL: 'C', PGPASSWORD: password }
  const run = (program: string, ...args: string[]) =>
    execFileSync(join(bin, program), args, { uid, gid, cwd: '/', env, stdio: 'ignore' })
  const start = (data: string, port: number) => {
    const options = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}`
    run('pg_ctl', '-D', data, '-w', '-l', `${data}.log`, '-o', options, 'start')
  }
  const onPrimary = (sql: string) =>
    run('psql', '-h', folder, '-p', String(primaryPort), '-U', 'postgres', '-X', '-q', '-c', sql)

  const security = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
  run('initdb', '-D', primary, '--encoding=UTF8', '--locale=C.UTF-8', ...security)
  start(primary, primaryPort)
  onPrimary(`CREATE ROLE unspent LOGIN PASSWORD '${password}'`)
  onPrimary('CREATE DATABASE unspent OWNER unspent')
  const from = `host=127.0.0.1 port=${primaryPort} user=postgres password=${password}`
  // -R writes what makes it a standby of that primary.
  run('pg_basebackup', '-d', from, '-D', standby, '-R', '-X', 'stream', '-c', 'fast')
  start(standby, standbyPort)
  if (isSynchronous) {
    onPrimary(`ALTER SYSTEM SET synchronous_standby_names = '*'`)
    onPrimary('SELECT pg_reload_conf()')
  }

  let port = primaryPort
  const sockets = new Set<Socket>()
  const line = createServer((server) => {
    const postgres = connect(port, '127.0.0.1')
    for (const [socket, other] of [
      [server, postgres],
      [postgres, server],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => sockets.delete(socket) && other.destroy())
      socket.pipe(other)
    }
  })
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve))
  const cut = () => sockets.forEach((socket) => void socket.destroy())
  let isPrimaryUp = true
  return {
    url: `postgres://unspent:${password}@127.0.0.1:${(line.address() as AddressInfo).port}/unspent`,
    killPrimary() {
      isPrimaryUp = false
      process.kill(Number.parseInt(readFileSync(join(primary, 'postmaster.pid'), 'utf8'), 10), 'SIGKILL')
    },
    redirect() {
      port = standbyPort
      cut()
    },
    promote: () => run('pg_ctl', '-D', standby, '-w', 'promote'),
    stop() {
      cut()
      line.close()
      for (const data of isPrimaryUp ? [primary, standby] : [standby])
        run('pg_ctl', '-D', data, '-w', '-m', 'immediate', 'stop')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
