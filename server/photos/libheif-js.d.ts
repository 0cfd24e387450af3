declare module 'libheif-js/wasm-bundle.js' {
  /** Takes the decoded pixels off the decoder's own memory. */
  type Sink = { set(rgba: Uint8Array, at?: number): void }
  export type HeifImage = {
    get_width(): number
    get_height(): number
    /** Writes red, green, blue, alpha: all at once, or row by row. `done` gets null when it cannot decode. */
    display(into: { data: Sink; width: number; height: number }, done: (into: object | null) => void): void
    free(): void
  }
  type HeifDecoder = { decoder: { delete(): void } | null; decode(bytes: Uint8Array): HeifImage[] }
  const libheif: { ready: Promise<unknown>; HeifDecoder: new () => HeifDecoder }
  export default libheif
}
