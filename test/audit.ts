import type { TestDatabase } from './database.ts'

/** Changes the audit log as the owner of the database can. */
export async function tamper({ pool }: TestDatabase, sql: string): Promise<void> {
  await pool.query(`
    alter table audit_log disable trigger user; alter table audit_head disable trigger user;
    ${sql};
    alter table audit_log enable trigger user; alter table audit_head enable trigger user`)
}

/** Computes the hash of an entry again. Anyone who can write to the database can do this. */
export const rehash = (id: number): string =>
  `update audit_log a set hash = sha256(previous_hash || convert_to(audit_text(a), 'UTF8')) where id = ${id}`
