/** Ends a program. Its message tells the operator what to do and stands alone. */
export class OperatorError extends Error {}

/** What the operator typed is no command; the message says what may be typed, and where the rest is listed. */
export class UsageError extends OperatorError {
  override name = 'UsageError'

  constructor(message: string) {
    super(`${message}. \`npm run admin -- help\` shows what there is.`)
  }
}
