import { getTableColumns } from 'drizzle-orm'
import { giftCards } from '#server/platform/database/schema.ts'

/** The columns of a submission that SQL can insert, for tests that copy rows: PostgreSQL takes no values for generated columns. */
export const cardColumns = Object.values(getTableColumns(giftCards))
  .filter(({ generated }) => !generated)
  .map(({ name }) => name)
  .join(', ')
