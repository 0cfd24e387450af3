import { type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { FITTED, keepOnStage, moveBy, type Point, zoomAt } from './zoom.ts'

const STEP = 1.4
const DOUBLE_CLICK = 2.5
/** Zoom per pixel of wheel movement. */
const WHEEL = 0.002

/** Zooms and moves a photo by wheel, drag, pinch and double-click. */
export function useZoom() {
  const stage = useRef<HTMLDivElement>(null)
  const pointers = useRef(new Map<number, Point>())
  const [at, setAt] = useState(FITTED)

  function place(next: typeof at) {
    const { clientWidth: width = 0, clientHeight: height = 0 } = stage.current ?? {}
    setAt(keepOnStage(next, { width, height }))
  }

  function fromMiddle({ x, y }: Point): Point {
    const box = stage.current?.getBoundingClientRect()
    return box ? { x: x - box.x - box.width / 2, y: y - box.y - box.height / 2 } : { x: 0, y: 0 }
  }

  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault()
    // Firefox reports lines, other browsers pixels.
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1)
    place(zoomAt(at, Math.exp(-pixels * WHEEL), fromMiddle({ x: event.clientX, y: event.clientY })))
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
    if (other) place(zoomAt(at, distance(to, other) / (distance(from, other) || 1), fromMiddle(other)))
    else place(moveBy(at, { x: to.x - from.x, y: to.y - from.y }))
    pointers.current.set(event.pointerId, to)
  }

  const release = (event: PointerEvent) => pointers.current.delete(event.pointerId)
  return {
    at,
    stage,
    zoomIn: () => place(zoomAt(at, STEP)),
    zoomOut: () => place(zoomAt(at, 1 / STEP)),
    fit: () => setAt(FITTED),
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
        place(at.scale > 1 ? FITTED : zoomAt(at, DOUBLE_CLICK, point))
      },
    },
  }
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y)
}
