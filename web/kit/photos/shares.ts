/**
 * How much of each photo was sent, 0 to 1. One upload sends them in order, so this follows from their sizes.
 * @param sizes in bytes, in the order of the upload
 * @param sent the share of the whole upload
 */
export function sharesOfPhotos(sizes: readonly number[], sent: number): number[] {
  let left = sent * sizes.reduce((sum, size) => sum + size, 0)
  return sizes.map((size) => {
    const share = size === 0 ? 1 : Math.min(1, Math.max(0, left / size))
    left -= size
    return share
  })
}
