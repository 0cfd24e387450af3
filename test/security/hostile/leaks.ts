import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbedded } from '#server/database/embedded.ts'
import { createPool } from '#server/database/pool.ts'

/** Which of the texts stand in some bytes. */
export const found = (bytes: Buffer, texts: readonly string[]): string[] =>
  texts.filter((text) => bytes.includes(text))

/** Where below a folder one of the texts stands, in any file: database, write-ahead log, mails, photos. */
export async function leaksBelow(folder: string, texts: readonly string[]): Promise<string[]> {
  const leaks: string[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const bytes = await readFile(path)
    const readable = path.endsWith('.eml') ? Buffer.concat([bytes, readableMail(bytes)]) : bytes
    for (const text of found(readable, texts)) leaks.push(`${path}: ${text}`)
  }
  return leaks
}

/** A mail with its quoted-printable line ends and its base64 undone. */
function readableMail(mail: Buffer): Buffer {
  const unfolded = mail.toString('latin1').replace(/=\r?\n/g, '')
  const encoded = unfolded.match(/^[A-Za-z0-9+/=\r\n]{76,}$/gm) ?? []
  return Buffer.concat([
    Buffer.from(unfolded, 'latin1'),
    ...encoded.map((text) => Buffer.from(text, 'base64')),
  ])
}

const MAIL_HEADERS =
  /^(From|To|Subject|Message-ID|Date|MIME-Version|Content-Type|Content-Transfer-Encoding|Auto-Submitted)$/

/** Mails below a folder with a header that is not ours, or with two of one kind: a text has got out of its place. */
export async function strangeMails(folder: string): Promise<string[]> {
  const names = await readdir(join(folder, 'mail')).catch(() => [])
  const heads = await Promise.all(
    names.map(
      async (name) => (await readFile(join(folder, 'mail', name), 'latin1')).split('\r\n\r\n', 1)[0] ?? '',
    ),
  )
  return heads.filter((head) => {
    const fields = head
      .replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line) => line.split(':', 1)[0] ?? '')
    return new Set(fields).size !== fields.length || !fields.every((field) => MAIL_HEADERS.test(field))
  })
}

/** Every row of every table of a stopped server's database as text. */
export async function dumpDatabase(dataDir: string): Promise<string> {
  const server = await startEmbedded({ dataDir, log: () => {}, onLost: () => {} })
  const pool = createPool({ connection: server.connection, onError: () => {} })
  try {
    const tables = await pool.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'`,
    )
    const dumps: string[] = []
    for (const { name } of tables.rows) {
      const { rows } = await pool.query<{ row: string }>(`select row_to_json(t)::text as row from ${name} t`)
      dumps.push(name, ...rows.map(({ row }) => row))
    }
    return dumps.join('\n')
  } finally {
    await pool.end()
    await server.stop()
  }
}
