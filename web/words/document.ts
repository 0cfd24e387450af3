/** A section of /terms, /privacy or /security. */
export interface Section {
  /** The anchor. */
  readonly id: string
  readonly title: string
  /** One string per paragraph. */
  readonly text: readonly string[]
  readonly points?: readonly string[]
  readonly links?: readonly { readonly label: string; readonly to: string }[]
}

export interface LongText {
  readonly title: string
  readonly intro: string
  readonly updated: string
  readonly sections: readonly Section[]
}
