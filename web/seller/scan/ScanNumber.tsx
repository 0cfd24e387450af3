import { Camera, ScanLine } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { differsFromPhoto } from '#domain/scan.ts'
import { Button } from '#web/kit/Button.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { useWords } from '#web/words/words.ts'

/**
 * Reads the card's number from the barcode on a photo and offers it. Never fills it in without asking. Once used, it also reads the
 * photos that are added later.
 */
export function ScanNumber({ photos, preparing, typed, brand, onUse }: ScanNumberProps) {
  const t = useWords()
  const { state, numbers, scan } = useScan(photos, brand)
  const chooser = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const take = (input: HTMLInputElement) => {
    const files = [...(input.files ?? [])]
    input.value = ''
    if (files.length > 0) void scan(files)
  }
  const file = { type: 'file', accept: 'image/*', tabIndex: -1, className: 'hidden' } as const
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        <input {...file} ref={chooser} onChange={(event) => take(event.currentTarget)} />
        <input {...file} ref={camera} capture="environment" onChange={(event) => take(event.currentTarget)} />
        <Button
          variant="secondary"
          size="sm"
          loading={preparing || state === 'reading'}
          onClick={() => (photos.length > 0 ? void scan(photos) : chooser.current?.click())}
          icon={<ScanLine aria-hidden="true" className="size-4" />}
        >
          {t('sellCard.scan.photo')}
        </Button>
        <span className="hidden pointer-coarse:inline-flex">
          <Button
            variant="secondary"
            size="sm"
            disabled={state === 'reading'}
            onClick={() => camera.current?.click()}
            icon={<Camera aria-hidden="true" className="size-4" />}
          >
            {t('sellCard.scan.card')}
          </Button>
        </span>
      </div>
      <p className="text-soft text-xs">{t('sellCard.scan.hint')}</p>
      <div role="status">
        {state === 'reading' && <p className="text-soft text-sm">{t('sellCard.scan.reading')}</p>}
        {state === 'nothing' && <p className="text-sm">{t('sellCard.scan.nothing')}</p>}
        {state === 'failed' && <p className="text-sm">{t('sellCard.scan.failed')}</p>}
        {state === 'found' && <Found numbers={numbers} typed={typed} onUse={onUse} />}
      </div>
    </div>
  )
}

interface ScanNumberProps {
  /** Of the card, as they will be sent. */
  photos: readonly File[]
  /** Photos were chosen that `photos` does not have yet. */
  preparing: boolean
  typed: string
  /** The brand's value. */
  brand: string
  onUse: (number: string) => void
}

function Found({ numbers, typed, onUse }: Pick<ScanNumberProps, 'typed' | 'onUse'> & { numbers: string[] }) {
  const t = useWords()
  const differs = differsFromPhoto(typed, numbers)
  if (typed.trim() !== '' && !differs) return <p className="text-sm">{t('sellCard.scan.same')}</p>
  const [first = ''] = numbers
  return (
    <Notice
      tone={differs ? 'caution' : 'info'}
      title={t(differs ? 'sellCard.scan.differs' : 'sellCard.scan.found', { end: first.slice(-4) })}
    >
      <p>{t('sellCard.scan.compare')}</p>
      <ul className="grid gap-2 pt-2">
        {numbers.map((number) => (
          <li key={number} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="figures wrap-anywhere font-semibold text-base">{inGroups(number)}</span>
            <Button variant="secondary" size="sm" onClick={() => onUse(inGroups(number))}>
              {t('sellCard.scan.use')}
            </Button>
          </li>
        ))}
      </ul>
    </Notice>
  )
}

/** Digits in fours, as cards print them. */
const inGroups = (number: string) => (/^\d+$/.test(number) ? number.replace(/\d{4}(?=\d)/g, '$& ') : number)

function useScan(photos: readonly File[], brand: string) {
  const [state, setState] = useState<'reading' | 'found' | 'nothing' | 'failed'>()
  const [numbers, setNumbers] = useState<string[]>([])
  const scanned = useRef(new Set<File>())
  const last = useRef(0)

  async function scan(files: readonly File[]) {
    const turn = ++last.current
    setState('reading')
    for (const file of files) scanned.current.add(file)
    try {
      // Fetched at the first use, like the reader itself.
      const { scanPhoto } = await import('./scan-photo.ts')
      const found: string[] = []
      for (const file of files) found.push(...(await scanPhoto(file, brand)))
      if (turn !== last.current) return
      setNumbers([...new Set(found)])
      setState(found.length > 0 ? 'found' : 'nothing')
    } catch {
      if (turn === last.current) setState('failed')
    }
  }

  const onPhotos = useEffectEvent((files: readonly File[]) => {
    if (scanned.current.size > 0 && files.some((file) => !scanned.current.has(file))) void scan(files)
  })
  useEffect(() => onPhotos(photos), [photos])

  return { state, numbers, scan }
}
