import { OperatorError } from '#server/platform/config/operator-error.ts'

/** Why the database cannot be used. The first line of the message is made for the operator and stands alone. */
export class DatabaseStartError extends OperatorError {
  override name = 'DatabaseStartError'
}

/** Another living server uses the same folder; trying again helps only once that one has ended. */
export class DatabaseInUseError extends DatabaseStartError {
  override name = 'DatabaseInUseError'
}
