import { type ComponentProps, type MouseEvent, useEffect } from 'react'
import { inLocale, useWords } from '#web/words/words.ts'
import { type NavigateOptions, useLocation, useNavigate } from './location.tsx'

export type LinkProps = Omit<ComponentProps<'a'>, 'href'> & NavigateOptions & { to: string }

/** A link to an address of this site. New tabs, downloads and the like are left to the browser. */
export function Link({ to, replace, state, onClick, ...rest }: LinkProps) {
  const navigate = useNavigate()
  // Renders again in another language.
  useWords()
  const address = inLocale(to)
  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event)
    if (event.defaultPrevented || !isPlainClick(event)) return
    event.preventDefault()
    const isCurrent = new URL(address, location.href).href === location.href
    void navigate(to, { replace: replace ?? isCurrent, state })
  }
  return <a {...rest} href={address} onClick={follow} />
}

/** Leaves out clicks that open a new tab or window. */
export function isPlainClick(event: MouseEvent<HTMLAnchorElement>): boolean {
  const { target, download } = event.currentTarget
  const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  return event.button === 0 && !modified && (!target || target === '_self') && !download
}

type NavLinkProps = Omit<LinkProps, 'className'> & {
  className: (state: { isActive: boolean }) => string
}

/** A link that knows whether it leads to the current screen. */
export function NavLink({ to, className, ...rest }: NavLinkProps) {
  const { pathname } = useLocation()
  const isActive = pathname === to
  return (
    <Link
      {...rest}
      to={to}
      aria-current={isActive ? 'page' : undefined}
      className={className({ isActive })}
    />
  )
}

/** Navigates when rendered. */
export function Navigate({ to, replace = false, state }: NavigateOptions & { to: string }) {
  const navigate = useNavigate()
  useEffect(() => {
    void navigate(to, { replace, state })
  }, [navigate, to, replace, state])
  return null
}
