import { routes } from '#contract/routes.ts'

/** Where a photo of a submission is shown and downloaded; its path on the wire begins with /uploads/. */

export function viewAddress(imageUrl: string, size: 'full' | 'thumbnail'): string {
  const address = routes.viewPhoto.path.replace('*', nameOf(imageUrl))
  return size === 'thumbnail' ? `${address}?size=thumbnail` : address
}

export function downloadAddress(imageUrl: string): string {
  return routes.downloadPhoto.path.replace('*', nameOf(imageUrl))
}

function nameOf(imageUrl: string): string {
  return encodeURI(imageUrl.replace(/^\/uploads\//, ''))
}
