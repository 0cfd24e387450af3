import { createContext, use, useEffect, useState } from 'react'
import { routes } from '#contract/routes.ts'

// The server sends the path of a photo as "/uploads/…".

export function viewAddress(imageUrl: string, size: 'full' | 'thumbnail'): string {
  const address = routes.viewPhoto.path.replace('*', nameOf(imageUrl))
  return size === 'thumbnail' ? `${address}?size=thumbnail` : address
}

/** Whether what is rendered is hidden until it opens. Its photos are loaded, but nobody looks at them yet. */
export const LoadsAhead = createContext(false)

/** The address stays the same when the photo is shown, so that it does not flicker. Asking again records the look. */
export function useThumbnailAddress(imageUrl: string): string {
  const address = viewAddress(imageUrl, 'thumbnail')
  const isAhead = use(LoadsAhead)
  const [wasAhead] = useState(isAhead)
  useEffect(() => {
    if (wasAhead && !isAhead) new Image().src = address
  }, [address, isAhead, wasAhead])
  return wasAhead ? `${address}&ahead=true` : address
}

export function downloadAddress(imageUrl: string): string {
  return routes.downloadPhoto.path.replace('*', nameOf(imageUrl))
}

function nameOf(imageUrl: string): string {
  return encodeURI(imageUrl.replace(/^\/uploads\//, ''))
}
