import { routes } from '#contract/routes.ts'

// The server sends the path of a photo as "/uploads/…".

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
