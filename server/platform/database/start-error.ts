import { OperatorError } from '#server/platform/config/operator-error.ts'

/** The database cannot be used. The first line of the message tells the operator what is wrong. */
export class DatabaseStartError extends OperatorError {
  override name = 'DatabaseStartError'
}

/** Another server uses the same folder. */
export class DatabaseInUseError extends DatabaseStartError {
  override name = 'DatabaseInUseError'
}
