import pg from 'pg'
import type { Connection } from '#server/platform/database/connection.ts'

const RealDate = Date

/**
 * A clock that is put back for a while, so that the product itself lives through the weeks that a demo tells of:
 * every row comes about by its own actions, at the time that it carries. This process reads the clock from `Date`,
 * the database from functions which its application finds before PostgreSQL's own.
 */
export class LentClock {
  readonly #database: pg.Client
  readonly #role: string

  private constructor(database: pg.Client, role: string) {
    this.#database = database
    this.#role = role
  }

  /** Lends it to the database of a superuser's connection, before the application has made any table there. */
  static async lend(superuser: Connection, application: Connection): Promise<LentClock> {
    const database = new pg.Client({ ...superuser, database: application.database })
    await database.connect()
    const role = pg.escapeIdentifier(application.user)
    await database.query(`
      CREATE SCHEMA lent_clock;
      CREATE TABLE lent_clock.shift (milliseconds double precision NOT NULL);
      INSERT INTO lent_clock.shift VALUES (0);
      CREATE FUNCTION lent_clock.now() RETURNS timestamptz STABLE LANGUAGE sql
        AS 'SELECT pg_catalog.now() + milliseconds * interval ''1 ms'' FROM lent_clock.shift';
      CREATE FUNCTION lent_clock.clock_timestamp() RETURNS timestamptz VOLATILE LANGUAGE sql
        AS 'SELECT pg_catalog.clock_timestamp() + milliseconds * interval ''1 ms'' FROM lent_clock.shift';
      GRANT USAGE ON SCHEMA lent_clock TO ${role};
      GRANT SELECT ON lent_clock.shift TO ${role};
      ALTER ROLE ${role} SET search_path = public, lent_clock, pg_catalog;`)
    return new LentClock(database, role)
  }

  /** Sets it to a moment, in milliseconds; from there it goes on. */
  async set(moment: number): Promise<void> {
    const shift = moment - RealDate.now()
    await this.#database.query('UPDATE lent_clock.shift SET milliseconds = $1', [shift])
    globalThis.Date = shiftedDate(shift)
  }

  /** Leaves no trace of it: the tables were made while it was lent, so their defaults are named anew. */
  async giveBack(): Promise<void> {
    globalThis.Date = RealDate
    try {
      for (const statement of await this.#restoringDefaults()) await this.#database.query(statement)
      await this.#database.query(`ALTER ROLE ${this.#role} RESET search_path`)
      // Refused while anything still reads the lent clock.
      await this.#database.query('DROP TABLE lent_clock.shift')
      await this.#database.query('DROP FUNCTION lent_clock.now(), lent_clock.clock_timestamp() RESTRICT')
      await this.#database.query('DROP SCHEMA lent_clock RESTRICT')
    } finally {
      await this.#database.end()
    }
  }

  async #restoringDefaults(): Promise<string[]> {
    const { rows } = await this.#database.query<{ statement: string }>(`
      SELECT format('ALTER TABLE %s ALTER COLUMN %I SET DEFAULT %s', adrelid::regclass, attname,
        replace(pg_get_expr(adbin, adrelid), 'lent_clock.', '')) AS statement
      FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
      WHERE pg_get_expr(adbin, adrelid) LIKE '%lent\\_clock.%'`)
    return rows.map(({ statement }) => statement)
  }
}

/** `Date` with another idea of now; everything else of it stays, `instanceof` too. */
function shiftedDate(shift: number): DateConstructor {
  const now = (): number => RealDate.now() + shift
  return new Proxy(RealDate, {
    construct: (target, given) => Reflect.construct(target, given.length === 0 ? [now()] : given),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  })
}
