declare module 'libheif-js/wasm-bundle.js' {
  import type { MainModule } from 'libheif-js/libheif-wasm/libheif.d.ts'

  /** Its `_heif_…` functions are libheif's C API: https://github.com/strukturag/libheif/tree/v1.23.2/libheif/api */
  const libheif: MainModule & { readonly ready: Promise<unknown> }
  export default libheif
}
