import { type ComponentProps, type MouseEvent, useEffect } from 'react'
import { type Step, useLocation, useNavigate } from './place.tsx'

export type LinkProps = Omit<ComponentProps<'a'>, 'href'> & Step & { to: string }

/** A link to an address of this site. A new tab, a download and the like stay the browser's business. */
export function Link({ to, replace, state, onClick, ...rest }: LinkProps) {
  const goTo = useNavigate()
  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event)
    if (event.defaultPrevented || !isPlain(event)) return
    event.preventDefault()
    const here = new URL(to, location.href).href === location.href
    void goTo(to, { replace: replace ?? here, state })
  }
  return <a {...rest} href={to} onClick={follow} />
}

function isPlain(event: MouseEvent<HTMLAnchorElement>): boolean {
  const { target, download } = event.currentTarget
  const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  return event.button === 0 && !modified && (!target || target === '_self') && !download
}

type NavLinkProps = Omit<LinkProps, 'className'> & {
  className?: string | ((state: { isActive: boolean }) => string)
  /** Only the very address counts, not what is below it. */
  end?: boolean
}

/** A link that knows whether it leads to where one is. */
export function NavLink({ to, end = false, className, ...rest }: NavLinkProps) {
  const { pathname } = useLocation()
  const isActive = pathname === to || (!end && pathname.startsWith(`${to}/`))
  return (
    <Link
      {...rest}
      to={to}
      aria-current={isActive ? 'page' : undefined}
      className={typeof className === 'function' ? className({ isActive }) : className}
    />
  )
}

/** Goes on to another address as soon as it is rendered. */
export function Navigate({ to, replace = false, state }: Step & { to: string }) {
  const goTo = useNavigate()
  useEffect(() => {
    void goTo(to, { replace, state })
  }, [goTo, to, replace, state])
  return null
}
