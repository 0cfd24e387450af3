import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { cx } from './cx.ts'
import { Link, type LinkProps } from './router/index.ts'
import { Spinner } from './Spinner.tsx'

type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger'
type ButtonSize = 'sm' | 'md' | 'lg'

interface Look {
  variant?: ButtonVariant | undefined
  size?: ButtonSize | undefined
  /** As wide as its container. */
  wide?: boolean | undefined
}

const variants: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'border border-control bg-surface text-ink hover:bg-sunken',
  quiet: 'text-ink hover:bg-sunken',
  danger: 'bg-negative-strong text-on-negative hover:brightness-110',
}

// Fingers need 44 px. The small size is lower on wide screens with a mouse.
const sizes: Record<ButtonSize, string> = {
  sm: 'min-h-11 px-3 text-sm md:pointer-fine:min-h-9',
  md: 'min-h-11 px-4 text-base',
  lg: 'min-h-13 px-6 py-2 text-lg',
}

const ignore = (event: MouseEvent) => event.preventDefault()

export function buttonClass({ variant = 'primary', size = 'md', wide = false }: Look = {}): string {
  return cx(
    'inline-flex select-none items-center justify-center gap-2 rounded-md text-balance text-center font-semibold leading-tight transition-colors',
    variants[variant],
    sizes[size],
    wide && 'w-full',
  )
}

type ButtonProps = ComponentProps<'button'> &
  Look & {
    /** Shows a spinner and ignores presses. The caller changes the label. */
    loading?: boolean
    icon?: ReactNode
  }

/** With `aria-disabled` a button looks unavailable but can be pressed, to say what is missing. */
export function Button({
  variant,
  size,
  wide,
  loading = false,
  icon,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      // Keeps focus. A form whose button ignores a click is not submitted by Enter either.
      {...(loading && { 'aria-busy': true, 'aria-disabled': true, onClick: ignore })}
      className={cx(
        buttonClass({ variant, size, wide }),
        loading ? 'cursor-progress opacity-80' : 'unavailable',
        className,
      )}
    >
      {loading ? <Spinner /> : icon}
      {children}
    </button>
  )
}

type ButtonLinkProps = LinkProps & Look & { icon?: ReactNode }

/** A link that looks like a button. */
export function ButtonLink({ variant, size, wide, icon, className, children, ...rest }: ButtonLinkProps) {
  return (
    <Link {...rest} className={cx(buttonClass({ variant, size, wide }), className)}>
      {icon}
      {children}
    </Link>
  )
}

/** A square button with only an icon. `label` is its accessible name. */
export function IconButton({
  label,
  className,
  children,
  ...rest
}: ComponentProps<'button'> & { label: string }) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={cx(
        'inline-grid size-11 shrink-0 place-items-center rounded-md transition-colors hover:bg-sunken disabled:text-soft',
        className,
      )}
    >
      {children}
    </button>
  )
}

/** The look of a link in running text, for links that leave the site. */
export const textLinkClass =
  'font-medium text-accent underline decoration-1 underline-offset-4 hover:decoration-2'

/** A link in running text. */
export function TextLink({ className, ...rest }: LinkProps) {
  return <Link {...rest} className={cx(textLinkClass, className)} />
}
