import { CircleUser } from 'lucide-react'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { MenuOnDemand } from '#web/kit/MenuOnDemand.tsx'

const StaffPlaces = lazyComponent(() => import('./StaffPlaces.tsx').then((module) => module.StaffPlaces))

/** Who is signed in, and where they can go. */
export function StaffMenu({ username }: { username: string }) {
  const name = `Account menu of ${username}`
  const label = (
    <>
      <CircleUser aria-hidden="true" className="size-5 sm:hidden" />
      <span className="max-w-40 truncate font-medium text-sm max-sm:hidden" title={username}>
        {username}
      </span>
    </>
  )
  return (
    <MenuOnDemand name={name} label={label} prefetch={StaffPlaces.prefetch}>
      <StaffPlaces name={name} label={label} username={username} />
    </MenuOnDemand>
  )
}
