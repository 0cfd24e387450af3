import { type ParseArgsConfig, parseArgs } from 'node:util'
import { OperatorError } from '#server/platform/config/operator-error.ts'

type Options = NonNullable<ParseArgsConfig['options']>

/** The options of a command. Throws an OperatorError with the usage for unknown ones. */
export function readOptions<const O extends Options>(options: O, usage: string) {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    throw new OperatorError(`${error instanceof Error ? error.message : error}\n${usage}`)
  }
}

/** Throws an OperatorError for anything but a whole number above zero. */
export function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,7}$/.test(text))
    throw new OperatorError(`--${name} must be a whole number from 1, not ${text}`)
  return Number(text)
}
