import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbedded } from '#server/platform/database/embedded.ts'
import { createPool } from '#server/platform/database/pool.ts'

/** The texts that occur in the bytes. */
export const found = (bytes: Buffer, texts: readonly string[]): string[] =>
  texts.filter((text) => bytes.includes(text))

/** The files below a folder that contain one of the texts: database, write-ahead log, emails, photos. */
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

/** The decoded quoted-printable and base64 parts of an email. */
function readableMail(mail: Buffer): Buffer {
  const unfolded = mail.toString('latin1').replace(/=\r?\n/g, '')
  const encoded = unfolded.match(/^[A-Za-z0-9+/=\r\n]{76,}$/gm) ?? []
  return Buffer.concat([
    Buffer.from(unfolded, 'latin1'),
    ...encoded.map((text) => Buffer.from(text, 'base64')),
  ])
}

const MAIL_HEADERS =
  /^(From|To|Subject|Message-ID|Date|MIME-Version|Content-Type|Content-Transfer-Encoding|Auto-Submitted|List-Unsubscribe(-Post)?)$/

/** Headers of emails that have unknown or duplicate fields, because a text was injected. */
export async function injectedMails(folder: string): Promise<string[]> {
  const injected: string[] = []
  for (const name of await readdir(join(folder, 'mail')).catch(() => [])) {
    const [head = ''] = (await readFile(join(folder, 'mail', name), 'latin1')).split('\r\n\r\n', 1)
    const fields = head
      .replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line) => line.split(':', 1)[0] ?? '')
    if (new Set(fields).size !== fields.length || !fields.every((field) => MAIL_HEADERS.test(field)))
      injected.push(head)
  }
  return injected
}

/**
 * The tables of a stopped server's database that contain one of the texts. Also searches for the texts in hex, the
 * form in which bytea columns are dumped.
 */
export async function leaksInDatabase(dataDir: string, texts: readonly string[]): Promise<string[]> {
  const wanted = texts.flatMap((text) => [text, Buffer.from(text).toString('hex')])
  const server = await startEmbedded({ dataDir, log: () => {}, onLost: () => {} })
  const pool = createPool({ connection: server.connection, onError: () => {} })
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    const tables = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'`,
    )
    const leaks: string[] = []
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ text: string }>(
        `with dump as materialized (select row_to_json(t)::text as row from ${name} t)
         select distinct text from dump, unnest($1::text[]) as text where strpos(row, text) > 0`,
        [wanted],
      )
      leaks.push(...rows.map(({ text }) => `${name}: ${text}`))
    }
    return leaks
  } finally {
    client.release()
    await pool.end()
    await server.stop()
  }
}
