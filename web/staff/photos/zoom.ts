/** The position of a photo on its stage, in pixels from the center. */
interface Placement {
  readonly scale: number
  readonly x: number
  readonly y: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** The whole photo, as large as fits. */
export const FITTED: Placement = { scale: 1, x: 0, y: 0 }

const MAX_SCALE = 8

/** Zooms by a factor and keeps the given point of the photo in place. */
export function zoomAt(at: Placement, factor: number, point: Point = { x: 0, y: 0 }): Placement {
  const scale = Math.min(MAX_SCALE, Math.max(FITTED.scale, at.scale * factor))
  const grows = scale / at.scale
  return {
    scale,
    x: point.x - (point.x - at.x) * grows,
    y: point.y - (point.y - at.y) * grows,
  }
}

export function moveBy(at: Placement, by: Point): Placement {
  return { ...at, x: at.x + by.x, y: at.y + by.y }
}

/** Keeps the photo from leaving its stage. */
export function keepOnStage(at: Placement, stage: { width: number; height: number }): Placement {
  const limit = (offset: number, size: number) => {
    const furthest = ((at.scale - 1) * size) / 2
    return Math.min(furthest, Math.max(-furthest, offset))
  }
  return { ...at, x: limit(at.x, stage.width), y: limit(at.y, stage.height) }
}
