import { Dialog } from '@base-ui/react/dialog'
import { ChevronLeft, ChevronRight, Download, Maximize, RotateCw, X, ZoomIn, ZoomOut } from 'lucide-react'
import type { ReactNode } from 'react'
import { buttonClass, IconButton } from '#web/kit/Button.tsx'
import { useKeyShortcut } from '../keys/KeyHint.tsx'
import type { Action } from '../keys/key-table.ts'
import { downloadAddress } from './photo-address.ts'

interface ViewerBarProps {
  index: number
  count: number
  scale: number
  photo: string | undefined
  controls: Record<'previousPhoto' | 'nextPhoto' | 'turn' | 'zoomIn' | 'zoomOut' | 'fit', () => void>
}

const icon = 'size-5'

export function ViewerBar({ index, count, scale, photo, controls }: ViewerBarProps) {
  return (
    <div className="flex flex-wrap items-center gap-1 border-line border-b bg-surface px-3 py-1.5">
      <Tool
        name="Previous photo"
        action="previousPhoto"
        onPress={controls.previousPhoto}
        disabled={index === 0}
      >
        <ChevronLeft aria-hidden="true" className={icon} />
      </Tool>
      <span role="status" className="figures min-w-16 text-center text-sm">
        {index + 1} of {count}
      </span>
      <Tool name="Next photo" action="nextPhoto" onPress={controls.nextPhoto} disabled={index === count - 1}>
        <ChevronRight aria-hidden="true" className={icon} />
      </Tool>
      <span aria-hidden="true" className="mx-2 h-6 w-px bg-line" />
      <Tool name="Zoom out" action="zoomOut" onPress={controls.zoomOut}>
        <ZoomOut aria-hidden="true" className={icon} />
      </Tool>
      <span className="figures min-w-12 text-center text-sm">{Math.round(scale * 100)}%</span>
      <Tool name="Zoom in" action="zoomIn" onPress={controls.zoomIn}>
        <ZoomIn aria-hidden="true" className={icon} />
      </Tool>
      <Tool name="Whole photo" action="fit" onPress={controls.fit}>
        <Maximize aria-hidden="true" className={icon} />
      </Tool>
      <Tool name="Turn" action="turn" onPress={controls.turn}>
        <RotateCw aria-hidden="true" className={icon} />
      </Tool>
      {photo && (
        <a href={downloadAddress(photo)} download className={buttonClass({ variant: 'quiet', size: 'sm' })}>
          <Download aria-hidden="true" className="size-4" />
          Download
        </a>
      )}
      <Dialog.Close
        render={
          <IconButton label="Close" aria-keyshortcuts={useKeyShortcut('closePhotos')} className="ml-auto">
            <X aria-hidden="true" className={icon} />
          </IconButton>
        }
      />
    </div>
  )
}

interface ToolProps {
  name: string
  action: Action
  onPress: () => void
  disabled?: boolean
  children: ReactNode
}

function Tool({ name, action, onPress, disabled, children }: ToolProps) {
  return (
    <IconButton label={name} aria-keyshortcuts={useKeyShortcut(action)} onClick={onPress} disabled={disabled}>
      {children}
    </IconButton>
  )
}
