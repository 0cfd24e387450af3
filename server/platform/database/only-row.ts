/** The one row that an insert or update of one row gives back. Throws when there is none, which is a fault of ours. */
export function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('The statement gave no row back')
  return row
}
