import { CircleCheck, CircleX } from 'lucide-react'
import { useId } from 'react'
import type { Example } from '#domain/resubmission.ts'
import { cx } from '#web/kit/cx.ts'
import { useWords } from '#web/words/words.ts'

/** Drawings of a good photo and of the usual mistakes, small, for sellers who have not taken a photo yet. */
export function ExamplePhotos() {
  const t = useWords()
  return (
    <ul aria-label={t('resubmission.examples')} className="grid max-w-md grid-cols-4 gap-2">
      {(['front', 'blurry', 'cropped', 'dark'] as const).map((example) => (
        <li key={example}>
          <ExamplePhoto example={example} caption={t(`sellCard.example.${example}`)} />
        </li>
      ))}
    </ul>
  )
}

/**
 * A drawn photo of a gift card, and whether photos should look like it.
 * @param caption one word. By default a sentence says it
 */
export function ExamplePhoto({ example, caption }: { example: Example; caption?: string }) {
  const t = useWords()
  const isGood = example === 'front' || example === 'back' || example === 'receipt'
  const Icon = isGood ? CircleCheck : CircleX
  const color = isGood ? 'text-positive' : 'text-negative'
  return (
    <figure className="grid gap-1.5">
      <div
        className={cx(
          'relative overflow-hidden rounded-md border-2',
          isGood ? 'border-positive' : 'border-negative',
        )}
      >
        {/* A photo looks the same in both themes. */}
        <svg
          viewBox="0 0 240 160"
          role="img"
          aria-label={t(`resubmission.example.${example}`)}
          className="dark block w-full bg-line"
        >
          <Scene example={example} />
        </svg>
        {caption && (
          <span className={cx('absolute right-0.5 bottom-0.5 rounded-full bg-surface', color)}>
            <Icon aria-hidden="true" className="size-4" />
          </span>
        )}
      </div>
      <figcaption
        className={cx(
          'flex items-center gap-1.5 font-medium',
          caption ? 'justify-center text-xs' : 'text-sm',
          color,
        )}
      >
        {!caption && <Icon aria-hidden="true" className="size-4 shrink-0" />}
        {caption ?? t(isGood ? 'resubmission.good' : 'resubmission.bad')}
      </figcaption>
    </figure>
  )
}

function Scene({ example }: { example: Example }) {
  const blur = useId()
  switch (example) {
    case 'front':
      return <Front />
    case 'back':
      return <Back />
    case 'covered':
      return <Back covered />
    case 'receipt':
      return (
        <>
          <g transform="translate(-8 24) scale(0.7)">
            <Front />
          </g>
          <Receipt />
        </>
      )
    case 'cropped':
      return (
        <g transform="translate(44 -14) scale(1.25)">
          <Front />
        </g>
      )
    case 'dark':
      return (
        <>
          <Front />
          <rect width="240" height="160" className="fill-on-accent opacity-90" />
        </>
      )
    default:
      return (
        <>
          <filter id={blur} x="-20%" y="-20%" width="140%" height="140%">
            <feGaussianBlur stdDeviation={example === 'blurry' ? 4 : 7} />
          </filter>
          {example === 'blurry' ? (
            <g filter={`url(#${blur})`}>
              <Front />
            </g>
          ) : (
            <>
              <Front />
              <ellipse cx="130" cy="108" rx="88" ry="22" filter={`url(#${blur})`} className="fill-ink" />
            </>
          )}
        </>
      )
  }
}

const digits = 'fill-on-accent font-mono font-semibold'

function Front() {
  return (
    <>
      <rect x="26" y="22" width="188" height="116" rx="10" className="fill-accent" />
      <g className="fill-deep opacity-70">
        <path d="M58 22h12v116h-12z" />
        <ellipse cx="50" cy="51" rx="13" ry="8" transform="rotate(24 50 51)" />
        <ellipse cx="78" cy="51" rx="13" ry="8" transform="rotate(-24 78 51)" />
        <circle cx="64" cy="56" r="6" />
      </g>
      <text x="200" y="54" textAnchor="end" fontSize="22" className="fill-on-accent font-semibold">
        $100
      </text>
      <text x="88" y="113" fontSize="12" textLength="112" className={digits}>
        6006 4930 1234
      </text>
    </>
  )
}

function Back({ covered = false }: { covered?: boolean }) {
  return (
    <>
      <rect x="26" y="22" width="188" height="116" rx="10" className="fill-accent" />
      <path d="M26 36h188v20h-188z" className="fill-on-accent" />
      <rect x="42" y="68" width="116" height="24" rx="3" className={covered ? 'fill-control' : 'fill-ink'} />
      {covered ? (
        <path
          d="M50 92l20-24M66 92l20-24M82 92l20-24M98 92l20-24M114 92l20-24M130 92l20-24"
          className="stroke-3 stroke-soft opacity-50"
        />
      ) : (
        <>
          <text x="54" y="85" fontSize="13" textLength="92" className={digits}>
            X7K3 9264
          </text>
          <path d="M42 68h14l-8 5 4 4-10 6zM158 92h-16l9-6-3-4 10-5z" className="fill-control" />
        </>
      )}
      <path
        d="M44 106h3v22h-3zM50 106h6v22h-6zM59 106h2v22h-2zM65 106h5v22h-5zM73 106h2v22h-2zM79 106h7v22h-7zM89 106h3v22h-3zM96 106h2v22h-2zM102 106h6v22h-6zM111 106h3v22h-3z"
        className="fill-on-accent"
      />
    </>
  )
}

function Receipt() {
  return (
    <>
      <path d="M156 14h66v130l-6-6-5 6-6-6-5 6-6-6-5 6-6-6-5 6-6-6-5 6-6-6-5 6z" className="fill-ink" />
      <path
        d="M166 34h46M166 46h30M166 64h24M200 64h12M166 76h20M200 76h12"
        className="stroke-3 stroke-soft"
      />
      <path d="M166 90h46" className="stroke-1 stroke-control" />
      <text x="212" y="112" textAnchor="end" fontSize="17" className="fill-on-accent font-semibold">
        $100
      </text>
    </>
  )
}
