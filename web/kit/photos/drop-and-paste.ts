import { type DragEvent, useEffect, useEffectEvent, useState } from 'react'

/** Handles files dropped on an element. `over` says whether something is held over it. */
export function useDrop(onFiles: (files: File[], on: Element) => void) {
  const [over, setOver] = useState(false)
  usePreventedDrops()
  const handlers = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      onFiles([...event.dataTransfer.files], event.target as Element)
    },
  }
  return { over, handlers }
}

/** Ignores photos dropped elsewhere. By default the browser would open the photo and lose the form. */
function usePreventedDrops() {
  useEffect(() => {
    const prevent = (event: Event) => event.preventDefault()
    document.addEventListener('dragover', prevent)
    document.addEventListener('drop', prevent)
    return () => {
      document.removeEventListener('dragover', prevent)
      document.removeEventListener('drop', prevent)
    }
  }, [])
}

/** Handles files pasted anywhere on the page. Ignores the image of a spreadsheet cell, which is also copied as text. */
export function usePaste(onFiles: (files: File[]) => void) {
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])]
    const types = event.clipboardData?.types ?? []
    const isText = types.includes('text/plain') && (types.includes('text/html') || isTextField(event.target))
    if (files.length > 0 && !isText) onFiles(files)
  })
  useEffect(() => {
    const listener = (event: ClipboardEvent) => onPaste(event)
    document.addEventListener('paste', listener)
    return () => document.removeEventListener('paste', listener)
  }, [])
}

function isTextField(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
}
