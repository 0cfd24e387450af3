import type pg from 'pg'

/** A hash of each table, to see whether a call changed anything. */
export async function contentsOf(pool: pg.Pool): Promise<Record<string, string>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    'select tablename as name from pg_tables where schemaname = current_schema()',
  )
  const found: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await pool.query(
      `select md5(string_agg(t::text, '|' order by t::text)) as sum from "${name}" t`,
    )
    found[name] = rows[0].sum
  }
  return found
}
