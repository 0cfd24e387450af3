import { supervisorTag } from './postmaster.ts'
import { SOCKET_PORT } from './roles.ts'

/**
 * Settings of the embedded PostgreSQL. They are arguments and not lines of postgresql.conf, because arguments win:
 * nobody switches off durability by `ALTER SYSTEM`, and a new version's settings hold for old folders too.
 */
const fixed = {
  // Reached only through the socket, whose folder only its user can enter.
  listen_addresses: '',
  unix_socket_permissions: '0700',
  password_encryption: 'scram-sha-256',

  // A sale that was answered with "accepted" survives a power cut.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',

  // For a small machine. Parallel queries want room in /dev/shm, of which containers have little.
  max_connections: '50',
  shared_buffers: '128MB',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  max_wal_size: '512MB',
  io_method: 'sync',
  jit: 'off',

  // What people typed stands in the messages of failed queries; the server logs its own account of those.
  log_destination: 'stderr',
  logging_collector: 'off',
  log_line_prefix: '',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_statement: 'none',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',

  timezone: 'UTC',
  log_timezone: 'UTC',
}

/** The arguments of `postgres` after its folder. `settings` come last and win. */
export function serverArguments(socketFolder: string, settings: Readonly<Record<string, string>>): string[] {
  const all = { ...fixed, unix_socket_directories: socketFolder, ...settings }
  const pairs = Object.entries(all).map(([name, value]) => `${name}=${value}`)
  return [
    '-p',
    String(SOCKET_PORT),
    ...[...pairs, supervisorTag(process.pid)].flatMap((pair) => ['-c', pair]),
  ]
}
