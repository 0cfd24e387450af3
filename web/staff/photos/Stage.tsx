import { useState } from 'react'
import { cx } from '#web/kit/cx.ts'
import { viewAddress } from './photo-address.ts'
import type { useZoom } from './use-zoom.ts'

interface StageProps {
  photo: string | undefined
  number: number
  quarters: number
  zoom: ReturnType<typeof useZoom>
}

/** The photo as a whole, then wherever wheel, drag and keys have put it. */
export function Stage({ photo, number, quarters, zoom: { stage, at, handlers } }: StageProps) {
  const [failed, setFailed] = useState<string>()
  const lying = quarters % 2 === 1
  return (
    <div
      ref={stage}
      {...handlers}
      className={cx(
        'relative grid min-h-0 flex-1 touch-none select-none place-items-center overflow-hidden bg-page @container-size',
        at.scale > 1 ? 'cursor-grab active:cursor-grabbing' : 'cursor-zoom-in',
      )}
    >
      {photo === failed && <p className="text-soft">This photo could not be loaded</p>}
      {photo && photo !== failed && (
        <img
          key={photo}
          src={viewAddress(photo, 'full')}
          alt={`Number ${number} of the submission`}
          draggable={false}
          onError={() => setFailed(photo)}
          style={{
            transform: `translate(${at.x}px, ${at.y}px) scale(${at.scale}) rotate(${quarters * 90}deg)`,
          }}
          className={cx(
            'pointer-events-none object-contain',
            lying ? 'max-h-[100cqw] max-w-[100cqh]' : 'max-h-[100cqh] max-w-[100cqw]',
          )}
        />
      )}
    </div>
  )
}
