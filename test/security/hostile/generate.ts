import { z } from 'zod'
import type { Random } from '#test/random.ts'
import { hostileTexts, hostileValue } from './hostile-values.ts'

/** Part of every secret the fuzzer sends. Wherever it appears, a secret has leaked. */
export const CANARY = 'CNRY'

const ACCOUNT_NUMBERS = new Set(['paymentAccountNumber', 'accountNumber'])
const SECRETS = new Set([
  ...ACCOUNT_NUMBERS,
  'cardNumber',
  'securityCode',
  'password',
  'currentPassword',
  'newPassword',
  'token',
  'code',
])

/** The canary of account numbers, which only take digits. Too long to appear by chance. */
export const ACCOUNT_CANARY = '404041410404'

export const CANARIES = [CANARY, ACCOUNT_CANARY]

/** A unique secret. Its last four characters may be shown. */
export const newCanary = (random: Random): string => `${CANARY}${random.hex(16)}4111`
export const newAccountCanary = (random: Random): string =>
  `${ACCOUNT_CANARY}${10_000 + random.below(90_000)}`

/** Values that make sense, by the name of the field. */
const sensible: Readonly<Record<string, (random: Random) => unknown>> = {
  brand: (random) => random.pick(['amazon', 'target', 'steam', 'unheard_of']),
  denomination: (random) => random.pick(['100', 100, '250.00', '25.25']),
  sellingPrice: (random) => random.pick(['93.00', '91', '227.50']),
  discountPercentage: (random) => random.pick(['7.00', '9', '12.00']),
  email: (random) => `fuzz${random.hex(8)}@example.com`,
  username: (random) => `fuzz${random.hex(8)}`,
  value: (random) => `fuzz_${random.hex(6)}`,
  rate: () => '85.00',
  minAmount: () => '10',
  maxAmount: () => '500',
  paymentAccountInfo: () => 'fuzz@pay.example',
  accountInfo: () => 'fuzz@pay.example',
  paymentRoutingNumber: () => '021000021',
  routingNumber: () => '021000021',
  cardFormat: (random) => random.pick(['physical', 'digital', '']),
  cardCondition: (random) => random.pick(['brand_new', 'partially_used', '']),
  expirationDate: () => '12/29',
  limit: (random) => String(1 + random.below(200)),
  message: (random) => `A message of some length ${random.hex(6)}`,
}

type JsonSchema = {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly minimum?: number
  readonly maximum?: number
}

const known = new WeakMap<z.ZodType, JsonSchema>()

function schemaOf(schema: z.ZodType): JsonSchema {
  const found =
    known.get(schema) ?? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema)
  known.set(schema, found)
  return found
}

/** Makes values for a schema of the contract, and often breaks some of them. */
export class Generator {
  readonly #random: Random
  /** Ids seen in answers. */
  readonly ids: string[] = ['01890000-0000-7000-8000-000000000000']
  readonly photos: string[] = ['nothing-like-that-here-at-all']

  constructor(random: Random) {
    this.#random = random
  }

  /** Fields by name, with canaries in secrets. Half of the time some values are hostile. */
  fields(schema: z.ZodType | undefined): unknown {
    if (!schema) return {}
    const made = this.#make(schemaOf(schema), '')
    return this.#random.chance(0.5) ? this.#spoil(made) : made
  }

  #make(schema: JsonSchema, name: string): unknown {
    const random = this.#random
    if (ACCOUNT_NUMBERS.has(name)) return newAccountCanary(random)
    if (SECRETS.has(name)) return newCanary(random)
    const hint = sensible[name]
    if (hint && random.chance(0.9)) return hint(random)
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return random.pick(schema.enum)
    if (schema.anyOf) return this.#make(random.pick(schema.anyOf), name)
    switch (schema.type) {
      case 'object':
        return this.#makeObject(schema)
      case 'array':
        return Array.from({ length: random.below(4) }, () => this.#make(schema.items ?? {}, name))
      case 'integer':
      case 'number':
        return Math.max(schema.minimum ?? 0, Math.min(schema.maximum ?? 1000, random.below(10)))
      case 'boolean':
        return random.chance(0.5)
      case 'null':
        return null
      default:
        return this.#makeText(schema)
    }
  }

  #makeObject({ properties = {}, required = [] }: JsonSchema): Record<string, unknown> {
    const wanted = Object.entries(properties).filter(
      ([name]) => required.includes(name) || this.#random.chance(0.5),
    )
    return Object.fromEntries(wanted.map(([name, schema]) => [name, this.#make(schema, name)]))
  }

  #makeText({ format }: JsonSchema): string {
    if (format === 'uuid') return this.id()
    if (format === 'date-time') return new Date(this.#random.below(2 ** 31) * 1000).toISOString()
    return this.#random.chance(0.3) ? this.#random.pick(hostileTexts) : `text ${this.#random.hex(12)}`
  }

  /** Mostly an id that exists. */
  id(): string {
    return this.#random.chance(0.85) ? this.#random.pick(this.ids) : this.#random.pick(hostileTexts)
  }

  // Never moves secrets: a card number in a public field would rightly be shown.
  #spoil(made: unknown): unknown {
    const random = this.#random
    if (typeof made !== 'object' || made === null || random.chance(0.05)) return hostileValue(random)
    const spoiled = { ...made } as Record<string, unknown>
    const names = Object.keys(spoiled).filter((name) => !SECRETS.has(name))
    for (const name of names) {
      if (random.chance(0.2)) spoiled[name] = hostileValue(random)
      else if (random.chance(0.1)) delete spoiled[name]
    }
    if (random.chance(0.2))
      Object.assign(spoiled, { role: 'admin', id: this.id(), status: 'completed', isAdmin: true })
    return spoiled
  }
}
