/** As much of OpenAPI 3.1 as the description of this product needs. https://spec.openapis.org/oas/v3.1.1 */

/** A shape, in JSON Schema 2020-12. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

export interface Content {
  readonly schema: Schema
  readonly encoding?: Readonly<Record<string, { readonly contentType: string }>>
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
}

export interface Header {
  readonly description: string
  readonly schema: Schema
}

export interface Answer {
  readonly description: string
  readonly headers?: Readonly<Record<string, Header | { readonly $ref: string }>>
  readonly content?: Readonly<Record<string, Content>>
}

/** A shape or an answer that stands among the components. */
export interface Reference {
  readonly $ref: string
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  /** Whose session it needs: none, or one of these. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: Readonly<Record<string, Content>>
  }
  readonly responses: Readonly<Record<string, Answer | Reference>>
  /** How often it may be called. */
  readonly 'x-rate-limit'?: { readonly bucket: string; readonly calls: number; readonly seconds: number }
}

export interface OpenApi {
  readonly openapi: '3.1.1'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly securitySchemes: Readonly<
      Record<
        string,
        {
          readonly type: 'apiKey'
          readonly in: 'cookie'
          readonly name: string
          readonly description: string
        }
      >
    >
    readonly headers: Readonly<Record<string, Header>>
    readonly responses: Readonly<Record<string, Answer>>
    readonly schemas: Readonly<Record<string, Schema>>
  }
}
