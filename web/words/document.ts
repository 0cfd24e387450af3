/** A long text in sections, as /terms, /privacy and /security are. */
export interface Section {
  /** The anchor, which other pages link to. */
  readonly id: string
  readonly title: string
  /** One string for each paragraph. */
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
