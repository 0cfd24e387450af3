import type { ReactNode } from 'react'
import { cx } from '#web/kit/cx.ts'
import { ErrorBoundary } from '#web/kit/ErrorBoundary.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { StaffHeader } from './StaffHeader.tsx'

interface StaffScreenProps {
  title: string
  /** One line about the screen. */
  intro: ReactNode
  /** It is mainly one long list. In a wide window only the rows scroll. */
  isList?: boolean
  children: ReactNode
}

/** A screen outside the dashboard that scrolls as a whole. */
export function StaffScreen({ isList = false, children, ...head }: StaffScreenProps) {
  return (
    <div className={cx('flex min-h-dvh flex-col', isList && 'min-[1100px]:h-dvh')}>
      <ScreenHeader {...head} />
      <main
        id="content"
        tabIndex={-1}
        className={cx(
          'grid flex-1 grid-cols-1 content-start gap-4 p-4 outline-none lg:px-6',
          isList && 'min-[1100px]:flex min-[1100px]:min-h-0 min-[1100px]:flex-col',
        )}
      >
        <ErrorBoundary heading="h2">{children}</ErrorBoundary>
      </main>
    </div>
  )
}

type ScreenHeaderProps = Pick<StaffScreenProps, 'title' | 'intro'> & {
  className?: string | false | undefined
}

export function ScreenHeader({ title, intro, className }: ScreenHeaderProps) {
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <StaffHeader title={title}>
        {/* In narrow windows it would have a line of its own. */}
        <p className={cx('text-pretty text-soft text-sm empty:hidden max-lg:sr-only', className)}>{intro}</p>
      </StaffHeader>
    </>
  )
}
