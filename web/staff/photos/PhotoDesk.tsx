import { useState } from 'react'
import { useKeys } from '../keys/use-keys.ts'
import { Stage } from './Stage.tsx'
import { useZoom } from './use-zoom.ts'
import { ViewerBar } from './ViewerBar.tsx'

interface PhotoDeskProps {
  photos: readonly string[]
  start: number
  onReveal: () => void
  onClose: () => void
}

/** One photo at a time with its tools: by button, wheel, finger or key. */
export function PhotoDesk({ photos, start, onReveal, onClose }: PhotoDeskProps) {
  const [index, setIndex] = useState(start)
  const [quarters, setQuarters] = useState(0)
  const zoom = useZoom()
  const { zoomIn, zoomOut, fit } = zoom

  function show(next: number) {
    if (!photos[next]) return
    setIndex(next)
    setQuarters(0)
    fit()
  }
  const nextPhoto = () => show(index + 1)
  const previousPhoto = () => show(index - 1)
  const turn = () => {
    setQuarters((quarters + 1) % 4)
    fit()
  }

  const controls = { zoomIn, zoomOut, fit, turn, nextPhoto, previousPhoto }
  useKeys({ ...controls, revealBesidePhoto: onReveal, closePhotos: onClose }, { inDialog: true })

  return (
    <div className="flex min-h-0 min-w-0 flex-col">
      <ViewerBar
        index={index}
        count={photos.length}
        scale={zoom.at.scale}
        photo={photos[index]}
        controls={controls}
      />
      <Stage photo={photos[index]} number={index + 1} quarters={quarters} zoom={zoom} />
    </div>
  )
}
