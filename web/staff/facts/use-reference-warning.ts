import { useRef } from 'react'
import { ApiError } from '#web/wire/errors.ts'

/**
 * Sends a confirmation number that another payout has only with the second press: the first answer is an error at the field.
 * @param send a call that takes `checkReference`
 */
export function useReferenceWarning<Body extends { reference?: string | undefined }, Answer>(
  send: (body: Body & { checkReference?: boolean }) => Promise<Answer>,
) {
  const warned = useRef<string>(undefined)
  return async (body: Body): Promise<Answer> => {
    const checkReference = body.reference !== warned.current
    try {
      return await send({ ...body, ...(checkReference && { checkReference }) })
    } catch (error) {
      if (isReferenceUsed(error)) warned.current = body.reference
      throw error
    }
  }
}

export function isReferenceUsed(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'reference_used'
}
