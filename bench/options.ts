import { type ParseArgsConfig, parseArgs } from 'node:util'
import { OperatorError } from '#server/platform/config/operator-error.ts'

type Options = NonNullable<ParseArgsConfig['options']>

/** What somebody has asked a command for. @throws OperatorError with the usage, for what it does not know */
export function readOptions<const O extends Options>(options: O, usage: string) {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    throw new OperatorError(`${error instanceof Error ? error.message : error}\n${usage}`)
  }
}

/** @throws OperatorError for what is no whole number above zero */
export function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,7}$/.test(text))
    throw new OperatorError(`--${name} holds ${text}; it may hold a whole number from 1`)
  return Number(text)
}
