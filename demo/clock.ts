import pg from 'pg'
import type { Connection } from '#server/platform/database/pool.ts'

const RealDate = Date

/**
 * A clock that can be set back, so that the server itself makes every row of the demo at the right time. Replaces `Date` in
 * this process and, by the search path, PostgreSQL's `now()` and `clock_timestamp()`.
 */
export class ShiftedClock {
  readonly #database: pg.Client
  readonly #role: string

  private constructor(database: pg.Client, role: string) {
    this.#database = database
    this.#role = role
  }

  /** Installs it in the application's database, before any tables are made there. */
  static async install(superuser: Connection, application: Connection): Promise<ShiftedClock> {
    const database = new pg.Client({ ...superuser, database: application.database })
    await database.connect()
    const role = pg.escapeIdentifier(application.user)
    await database.query(`
      CREATE SCHEMA shifted_clock;
      CREATE TABLE shifted_clock.shift (milliseconds double precision NOT NULL);
      INSERT INTO shifted_clock.shift VALUES (0);
      CREATE FUNCTION shifted_clock.now() RETURNS timestamptz STABLE LANGUAGE sql
        AS 'SELECT pg_catalog.now() + milliseconds * interval ''1 ms'' FROM shifted_clock.shift';
      CREATE FUNCTION shifted_clock.clock_timestamp() RETURNS timestamptz VOLATILE LANGUAGE sql
        AS 'SELECT pg_catalog.clock_timestamp() + milliseconds * interval ''1 ms'' FROM shifted_clock.shift';
      GRANT USAGE ON SCHEMA shifted_clock TO ${role};
      GRANT SELECT ON shifted_clock.shift TO ${role};
      ALTER ROLE ${role} SET search_path = public, shifted_clock, pg_catalog;`)
    return new ShiftedClock(database, role)
  }

  /** Sets the time in milliseconds. The clock keeps running from there. */
  async set(time: number): Promise<void> {
    const shift = time - RealDate.now()
    await this.#database.query('UPDATE shifted_clock.shift SET milliseconds = $1', [shift])
    globalThis.Date = shiftedDate(shift)
  }

  /** Removes the clock, also from column defaults that call it. */
  async remove(): Promise<void> {
    globalThis.Date = RealDate
    try {
      for (const statement of await this.#restoringDefaults()) await this.#database.query(statement)
      await this.#database.query(`ALTER ROLE ${this.#role} RESET search_path`)
      // Fails if anything still uses it.
      await this.#database.query('DROP TABLE shifted_clock.shift')
      await this.#database.query(
        'DROP FUNCTION shifted_clock.now(), shifted_clock.clock_timestamp() RESTRICT',
      )
      await this.#database.query('DROP SCHEMA shifted_clock RESTRICT')
    } finally {
      await this.#database.end()
    }
  }

  async #restoringDefaults(): Promise<string[]> {
    const { rows } = await this.#database.query<{ statement: string }>(`
      SELECT format('ALTER TABLE %s ALTER COLUMN %I SET DEFAULT %s', adrelid::regclass, attname,
        replace(pg_get_expr(adbin, adrelid), 'shifted_clock.', '')) AS statement
      FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
      WHERE pg_get_expr(adbin, adrelid) LIKE '%shifted\\_clock.%'`)
    return rows.map(({ statement }) => statement)
  }
}

/** `Date` with a different current time. `instanceof` and everything else still work. */
function shiftedDate(shift: number): DateConstructor {
  const now = (): number => RealDate.now() + shift
  return new Proxy(RealDate, {
    construct: (target, given) => Reflect.construct(target, given.length === 0 ? [now()] : given),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  })
}
