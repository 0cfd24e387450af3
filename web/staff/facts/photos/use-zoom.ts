import { type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react'

const STEP = 1.4
const DOUBLE_CLICK = 2.5
/** Zoom per pixel of wheel movement. */
const WHEEL = 0.002

/** Zooms and moves a photo by wheel, drag, pinch and double-click. */
export function useZoom() {
  const stage = useRef<HTMLDivElement>(null)
  const pointers = useRef(new Map<number, Point>())
  const [placement, setPlacement] = useState(FITTED)

  function apply(next: typeof placement) {
    const { clientWidth: width = 0, clientHeight: height = 0 } = stage.current ?? {}
    setPlacement(keepOnStage(next, { width, height }))
  }

  function fromMiddle({ x, y }: Point): Point {
    const box = stage.current?.getBoundingClientRect()
    return box ? { x: x - box.x - box.width / 2, y: y - box.y - box.height / 2 } : { x: 0, y: 0 }
  }

  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault()
    // Firefox reports lines, other browsers pixels.
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1)
    apply(zoomAt(placement, Math.exp(-pixels * WHEEL), fromMiddle({ x: event.clientX, y: event.clientY })))
  })
  useEffect(() => {
    const element = stage.current
    const listener = (event: WheelEvent) => onWheel(event)
    // React's wheel listeners are passive, so they cannot stop the page from scrolling.
    element?.addEventListener('wheel', listener, { passive: false })
    return () => element?.removeEventListener('wheel', listener)
  }, [])

  function onPointerMove(event: PointerEvent) {
    const from = pointers.current.get(event.pointerId)
    if (!from) return
    const to = { x: event.clientX, y: event.clientY }
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1]
    if (other) apply(zoomAt(placement, distance(to, other) / (distance(from, other) || 1), fromMiddle(other)))
    else apply(moveBy(placement, { x: to.x - from.x, y: to.y - from.y }))
    pointers.current.set(event.pointerId, to)
  }

  const release = (event: PointerEvent) => pointers.current.delete(event.pointerId)
  return {
    placement,
    stage,
    zoomIn: () => apply(zoomAt(placement, STEP)),
    zoomOut: () => apply(zoomAt(placement, 1 / STEP)),
    fit: () => setPlacement(FITTED),
    /** Keeps the middle of the view while the photo is rotated clockwise. */
    turn: () => apply({ ...placement, x: -placement.y, y: placement.x }),
    handlers: {
      onPointerDown(event: PointerEvent) {
        event.currentTarget.setPointerCapture(event.pointerId)
        pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
      },
      onPointerMove,
      onPointerUp: release,
      onPointerCancel: release,
      onDoubleClick(event: { clientX: number; clientY: number }) {
        const point = fromMiddle({ x: event.clientX, y: event.clientY })
        apply(placement.scale > 1 ? FITTED : zoomAt(placement, DOUBLE_CLICK, point))
      },
    },
  }
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y)
}

/** The position of a photo on its stage, in pixels from the center. */
interface Placement {
  readonly scale: number
  readonly x: number
  readonly y: number
}

interface Point {
  readonly x: number
  readonly y: number
}

/** The whole photo, as large as fits. */
export const FITTED: Placement = { scale: 1, x: 0, y: 0 }

const MAX_SCALE = 8

/** Zooms by a factor and keeps the given point of the photo in place. */
export function zoomAt(placement: Placement, factor: number, point: Point = { x: 0, y: 0 }): Placement {
  const scale = Math.min(MAX_SCALE, Math.max(FITTED.scale, placement.scale * factor))
  const grows = scale / placement.scale
  return {
    scale,
    x: point.x - (point.x - placement.x) * grows,
    y: point.y - (point.y - placement.y) * grows,
  }
}

export function moveBy(placement: Placement, by: Point): Placement {
  return { ...placement, x: placement.x + by.x, y: placement.y + by.y }
}

/** Keeps the photo from leaving its stage. */
export function keepOnStage(placement: Placement, stage: { width: number; height: number }): Placement {
  const limit = (offset: number, size: number) => {
    const furthest = ((placement.scale - 1) * size) / 2
    return Math.min(furthest, Math.max(-furthest, offset))
  }
  return { ...placement, x: limit(placement.x, stage.width), y: limit(placement.y, stage.height) }
}
