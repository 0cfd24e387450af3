declare module 'libheif-js/wasm-bundle.js' {
  /** An address in the decoder's own memory. */
  type Pointer = number
  /**
   * The functions of libheif's C interface, as https://github.com/strukturag/libheif/blob/v1.23.2/libheif/api describes
   * them. What returns a `heif_error` takes the place for it as a first argument more.
   */
  const libheif: {
    ready: Promise<unknown>
    /** The decoder's memory; another array after each call that made it grow. */
    HEAPU8: Uint8Array
    _malloc(bytes: number): Pointer
    _free(at: Pointer): void
    _heif_context_alloc(): Pointer
    _heif_context_free(context: Pointer): void
    _heif_context_read_from_memory_without_copy(
      error: Pointer,
      context: Pointer,
      bytes: Pointer,
      length: number,
      options: Pointer,
    ): void
    _heif_context_get_primary_image_handle(error: Pointer, context: Pointer, handle: Pointer): void
    _heif_image_handle_release(handle: Pointer): void
    _heif_image_handle_get_width(handle: Pointer): number
    _heif_image_handle_get_height(handle: Pointer): number
    _heif_image_handle_get_ispe_width(handle: Pointer): number
    _heif_image_handle_get_ispe_height(handle: Pointer): number
    _heif_image_handle_has_alpha_channel(handle: Pointer): number
    _heif_image_handle_get_image_tiling(
      error: Pointer,
      handle: Pointer,
      transformed: number,
      tiling: Pointer,
    ): void
    _heif_image_handle_decode_image_tile(
      error: Pointer,
      handle: Pointer,
      image: Pointer,
      colorspace: number,
      chroma: number,
      options: Pointer,
      column: number,
      row: number,
    ): void
    _heif_decode_image(
      error: Pointer,
      handle: Pointer,
      image: Pointer,
      colorspace: number,
      chroma: number,
      options: Pointer,
    ): void
    _heif_image_get_primary_width(image: Pointer): number
    _heif_image_get_primary_height(image: Pointer): number
    _heif_image_get_plane_readonly(image: Pointer, channel: number, stride: Pointer): Pointer
    _heif_image_release(image: Pointer): void
  }
  export default libheif
}
