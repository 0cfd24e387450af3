import { Dialog } from '@base-ui/react/dialog'
import { ChevronLeft, ChevronRight, Download, Maximize, RotateCw, X, ZoomIn, ZoomOut } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { cardName } from '#web/cards/text.ts'
import { buttonClass, IconButton } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Money } from '#web/kit/Money.tsx'
import { KeyHint, useKeyShortcut } from '../../shell/keys/KeyHint.tsx'
import { useKeys } from '../../shell/keys/use-keys.ts'
import { CardFacts } from '../CardFacts.tsx'
import type { Reveal } from '../use-reveal.ts'
import { downloadAddress, viewAddress } from './photo-address.ts'
import { useZoom } from './use-zoom.ts'

interface PhotoViewerProps {
  /** Its values are beside the photo. Undefined for a photo in a chat. */
  card?: { submission: StaffSubmission; reveal: Reveal }
  photos: readonly string[]
  /** Index of the first photo to show. */
  start: number
  onClose: () => void
}

/** A large photo, next to the values to compare it with. */
export function PhotoViewer({ card, photos, start, onClose }: PhotoViewerProps) {
  const closeButton = useRef<HTMLButtonElement>(null)
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Popup
          initialFocus={closeButton}
          className={cx(
            'fixed inset-0 z-40 grid grid-rows-[minmax(0,1fr)_auto] bg-page outline-none',
            card && 'lg:grid-cols-[minmax(0,1fr)_28rem] lg:grid-rows-1',
          )}
        >
          <Dialog.Title className="sr-only">
            Photos of the {card ? cardName(card.submission.brandName) : 'message'}
          </Dialog.Title>
          <PhotoControls
            noun={card ? 'submission' : 'message'}
            photos={photos}
            start={start}
            onReveal={card?.reveal.toggle}
            onClose={onClose}
            closeButton={closeButton}
          />
          {card && <CardBeside {...card} />}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function CardBeside({ submission, reveal }: NonNullable<PhotoViewerProps['card']>) {
  return (
    <aside className="grid max-h-[45dvh] content-start gap-6 overflow-y-auto border-line bg-surface p-5 max-lg:border-t lg:max-h-none lg:border-l">
      <div className="flex items-center gap-3">
        <BrandTile name={submission.brandName} />
        <p className="min-w-0 flex-1 font-semibold text-lg">{submission.brandName}</p>
        <p className="text-right text-soft text-sm">
          Face value
          <Money amount={submission.denomination} size="lg" className="block text-ink" />
        </p>
      </div>
      <CardFacts submission={submission} reveal={reveal} />
    </aside>
  )
}

interface PhotoControlsProps {
  noun: string
  photos: readonly string[]
  start: number
  onReveal: (() => void) | undefined
  onClose: () => void
  closeButton: RefObject<HTMLButtonElement | null>
}

function PhotoControls({ noun, photos, start, onReveal, onClose, closeButton }: PhotoControlsProps) {
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
    zoom.turn()
  }

  const controls = { zoomIn, zoomOut, fit, turn, nextPhoto, previousPhoto }
  const reveal = onReveal && { revealBesidePhoto: onReveal }
  useKeys({ ...controls, ...reveal, closePhotos: onClose }, { inDialog: true })

  return (
    <div className="flex min-h-0 min-w-0 flex-col">
      <ViewerBar
        index={index}
        count={photos.length}
        scale={zoom.placement.scale}
        photo={photos[index]}
        controls={controls}
        closeButton={closeButton}
      />
      <Stage noun={noun} photo={photos[index]} number={index + 1} quarters={quarters} zoom={zoom} />
    </div>
  )
}

interface ViewerBarProps {
  index: number
  count: number
  scale: number
  photo: string | undefined
  controls: Controls
  closeButton: PhotoControlsProps['closeButton']
}

function ViewerBar({ index, count, scale, photo, controls, closeButton }: ViewerBarProps) {
  return (
    <div className="flex flex-wrap items-center gap-1 border-line border-b bg-surface px-3 py-1.5">
      <Tool name="previousPhoto" controls={controls} disabled={index === 0} />
      <span role="status" className="figures min-w-16 text-center text-sm">
        {index + 1} of {count}
      </span>
      <Tool name="nextPhoto" controls={controls} disabled={index === count - 1} />
      <span aria-hidden="true" className="mx-2 h-6 w-px bg-line" />
      <Tool name="zoomOut" controls={controls} />
      <span className="figures min-w-12 text-center text-sm">{Math.round(scale * 100)}%</span>
      <Tool name="zoomIn" controls={controls} />
      <Tool name="fit" controls={controls} />
      <Tool name="turn" controls={controls} />
      {photo && (
        <a href={downloadAddress(photo)} download className={buttonClass({ variant: 'quiet', size: 'sm' })}>
          <Download />
          Download
        </a>
      )}
      <Dialog.Close
        render={
          <IconButton
            ref={closeButton}
            label="Close"
            aria-keyshortcuts={useKeyShortcut('closePhotos')}
            className={cx(toolClass, 'ml-auto')}
          >
            <X className="size-5" />
            <KeyHint action="closePhotos" />
          </IconButton>
        }
      />
    </div>
  )
}

const tools = {
  previousPhoto: { label: 'Previous photo', Icon: ChevronLeft },
  nextPhoto: { label: 'Next photo', Icon: ChevronRight },
  zoomOut: { label: 'Zoom out', Icon: ZoomOut },
  zoomIn: { label: 'Zoom in', Icon: ZoomIn },
  fit: { label: 'Fit the photo', Icon: Maximize },
  turn: { label: 'Rotate', Icon: RotateCw },
} as const

const toolClass = 'pointer-fine:w-auto pointer-fine:min-w-11 grid-flow-col gap-1.5 px-2'

type ToolName = keyof typeof tools
type Controls = Record<ToolName, () => void>

function Tool({ name, controls, ...more }: { name: ToolName; controls: Controls; disabled?: boolean }) {
  const { label, Icon } = tools[name]
  return (
    <IconButton
      label={label}
      aria-keyshortcuts={useKeyShortcut(name)}
      onClick={controls[name]}
      className={toolClass}
      {...more}
    >
      <Icon className="size-5" />
      {/* The icons of the first two are arrows already. */}
      {!name.endsWith('Photo') && <KeyHint action={name} />}
    </IconButton>
  )
}

interface StageProps {
  noun: string
  photo: string | undefined
  number: number
  quarters: number
  zoom: ReturnType<typeof useZoom>
}

function Stage({ noun, photo, number, quarters, zoom: { stage, placement, handlers } }: StageProps) {
  const [failed, setFailed] = useState<string>()
  const isSideways = quarters % 2 === 1
  return (
    <div
      ref={stage}
      {...handlers}
      className={cx(
        'relative grid min-h-0 flex-1 touch-none select-none place-items-center overflow-hidden bg-page @container-size',
        placement.scale > 1 ? 'cursor-grab active:cursor-grabbing' : 'cursor-zoom-in',
      )}
    >
      {photo === failed && <p className="text-soft">This photo could not be loaded</p>}
      {photo && photo !== failed && (
        <img
          key={photo}
          src={viewAddress(photo, 'full')}
          alt={`Number ${number} of the ${noun}`}
          draggable={false}
          onError={() => setFailed(photo)}
          style={{
            transform: `translate(${placement.x}px, ${placement.y}px) scale(${placement.scale}) rotate(${quarters * 90}deg)`,
          }}
          className={cx(
            'pointer-events-none object-contain',
            isSideways ? 'max-h-[100cqw] max-w-[100cqh]' : 'max-h-[100cqh] max-w-[100cqw]',
          )}
        />
      )}
    </div>
  )
}
