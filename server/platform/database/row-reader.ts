import { Column, type DriverValueDecoder, is, SQL } from 'drizzle-orm'

/** What a select reads: columns and expressions, also in groups. */
export interface Fields {
  readonly [name: string]: Column | SQL | Fields
}

/** Finds something in the values of a row. */
export type Read<Found> = (row: readonly unknown[]) => Found

/** How a row of these fields is read, whose values come in their order. */
export function rowReader(fields: Fields): Read<unknown> {
  let columns = 0
  const readerOf = (field: Fields[string]): Read<unknown> =>
    is(field, Column) || is(field, SQL) ? valueReader(field, columns++) : groupReader(field)
  const groupReader = (group: Fields): Read<unknown> => {
    const readers = Object.entries(group).map(([name, field]) => ({ name, read: readerOf(field) }))
    const empty = Object.fromEntries(readers.map(({ name }) => [name, null]))
    return (row) => {
      // Filling a copy takes half as long as adding field after field.
      const found: Record<string, unknown> = { ...empty }
      for (const { name, read } of readers) found[name] = read(row)
      return found
    }
  }
  return groupReader(fields)
}

function valueReader(field: Column | SQL, column: number): Read<unknown> {
  // Drizzle's types leave out that an expression has a decoder: that of its `mapWith`, or one that changes nothing.
  const decoder = is(field, Column)
    ? field
    : (field as unknown as { decoder: DriverValueDecoder<unknown, unknown> }).decoder
  return (row) => {
    const value = row[column]
    return value === null ? null : decoder.mapFromDriverValue(value)
  }
}
