declare module 'heic-decode' {
  type Pixels = { width: number; height: number; data: Uint8ClampedArray }
  type UndecodedImage = { width: number; height: number; decode(): Promise<Pixels> }
  type DecodeHeic = {
    (input: { buffer: Uint8Array }): Promise<Pixels>
    all(input: { buffer: Uint8Array }): Promise<UndecodedImage[] & { dispose(): void }>
  }
  const decode: DecodeHeic
  export default decode
}
