import { type ErrorCode, errorMeanings, errorStatuses } from '#contract/errors.ts'
import type { Answer, Reference } from './types.ts'

/** Codes by their status: an answer has one shape for each status. */
export function byStatus(codes: readonly ErrorCode[]): [status: number, codes: ErrorCode[]][] {
  const once = [...new Set(codes)].sort()
  return [...Map.groupBy(once, (code) => errorStatuses[code])].sort(([a], [b]) => a - b)
}

/** The answers with these codes, as an operation refers to them. */
export function refusalRefs(codes: readonly ErrorCode[]): Record<string, Reference> {
  return Object.fromEntries(
    byStatus(codes).map(([status, together]) => [
      status,
      { $ref: `#/components/responses/${refusalName(together)}` },
    ]),
  )
}

/** How the answer of these codes, all of one status, is called among the components: `TakenOrQuoteChanged`. */
export function refusalName(codes: readonly ErrorCode[]): string {
  return codes.map(pascal).join('Or')
}

function pascal(code: string): string {
  return code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** The answer itself. */
export function refusal(codes: readonly ErrorCode[]): Answer {
  const waits = codes.some((code) => code === 'too_many_requests' || code === 'busy')
  return {
    description: codes.map((code) => `\`${code}\`: ${errorMeanings[code]}`).join('. '),
    ...(waits && { headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } }),
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/ErrorBody' },
            { type: 'object', properties: { code: { type: 'string', enum: codes } } },
          ],
        },
      },
    },
  }
}
