import { LayoutDashboard } from 'lucide-react'
import type { ReactNode } from 'react'
import { ButtonLink } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { ErrorBoundary } from '#web/kit/ErrorBoundary.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { paths } from '#web/words/paths.ts'
import { StaffHeader } from './StaffHeader.tsx'
import { useStaff } from './use-staff.ts'

interface StaffScreenProps {
  title: string
  /** One line about the screen. */
  intro: ReactNode
  children: ReactNode
}

/** A screen outside the dashboard, with a link back to it. */
export function StaffScreen({ children, ...head }: StaffScreenProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <ScreenHeader {...head} />
      <main
        id="content"
        tabIndex={-1}
        className="grid flex-1 grid-cols-1 content-start gap-4 p-4 outline-none lg:px-6"
      >
        <ErrorBoundary heading="h2">{children}</ErrorBoundary>
      </main>
    </div>
  )
}

type ScreenHeaderProps = Omit<StaffScreenProps, 'children'> & { className?: string | false | undefined }

export function ScreenHeader({ title, intro, className }: ScreenHeaderProps) {
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <StaffHeader title={title}>
        <div className={cx('flex flex-wrap items-center gap-x-4 pb-3 lg:pb-0', className)}>
          <p className="text-pretty text-soft text-sm">{intro}</p>
          {!useStaff().admin.needsSecondFactor && (
            <ButtonLink
              to={paths.admin}
              variant="quiet"
              size="sm"
              className="max-sm:-ml-3"
              icon={<LayoutDashboard />}
            >
              Dashboard
            </ButtonLink>
          )}
        </div>
      </StaffHeader>
    </>
  )
}
