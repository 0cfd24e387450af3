/** An error the operator can fix. The program ends, printing only its message, which says what to do. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}
