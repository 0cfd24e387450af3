import { Menu as Primitive } from '@base-ui/react/menu'
import type { ReactElement, ReactNode, Ref } from 'react'
import { buttonClass } from './Button.tsx'
import { cx } from './cx.ts'
import { MenuButtonLabel, menuButtonClass } from './MenuOnDemand.tsx'
import { Link } from './router/index.ts'

interface MenuProps {
  /** What the button shows. */
  label: ReactNode
  /** The button's accessible name, if its label is not enough. */
  name?: string
  /** Shown above the entries. */
  title?: ReactNode
  defaultOpen?: boolean
  /** With `onOpenChange`: opened by more than its button. */
  open?: boolean
  onOpenChange?: (open: boolean) => void
  /** Its button. A click by script opens the menu as a key on the button does: with the first entry focused. */
  button?: Ref<HTMLButtonElement>
  size?: 'sm' | 'md'
  /** Which edge of the button the list starts from. */
  align?: 'start' | 'end'
  children: ReactNode
}

/** A button that opens a list of links and actions. */
export function Menu({
  label,
  name,
  title,
  button,
  size = 'md',
  align = 'end',
  children,
  ...opened
}: MenuProps) {
  return (
    <Primitive.Root modal={false} {...opened}>
      <Primitive.Trigger
        ref={button}
        aria-label={name}
        title={name}
        className={size === 'md' ? menuButtonClass : buttonClass({ variant: 'secondary', size })}
      >
        <MenuButtonLabel>{label}</MenuButtonLabel>
      </Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Positioner sideOffset={8} align={align} className="z-40 outline-none">
          <Primitive.Popup className="min-w-60 max-w-[min(20rem,calc(100vw-2rem))] rounded-md border border-line bg-surface p-1.5 text-ink shadow-raised outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0">
            {title && (
              <div className="wrap-anywhere mb-1.5 border-line border-b px-3 pt-1.5 pb-2.5 font-semibold">
                {title}
              </div>
            )}
            {children}
          </Primitive.Popup>
        </Primitive.Positioner>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

const itemClass =
  'flex min-h-11 w-full cursor-pointer select-none items-center gap-3 rounded-sm px-3 text-left outline-none data-highlighted:bg-sunken data-disabled:text-soft'

interface MenuLinkProps {
  to: string
  icon?: ReactNode
  /** Leads to the current screen. */
  isCurrent?: boolean
  children: ReactNode
}

export function MenuLink({ to, icon, isCurrent = false, children }: MenuLinkProps) {
  return (
    <Primitive.Item
      className={cx(itemClass, isCurrent && 'font-semibold text-accent')}
      render={<Link to={to} aria-current={isCurrent ? 'page' : undefined} />}
    >
      {icon}
      {children}
    </Primitive.Item>
  )
}

/** An entry that renders its own link. */
export function MenuEntry({ link }: { link: ReactElement }) {
  return <Primitive.Item className={itemClass} render={link} />
}

interface MenuActionProps {
  onSelect: () => void
  icon?: ReactNode
  disabled?: boolean
  children: ReactNode
}

export function MenuAction({ onSelect, icon, disabled, children }: MenuActionProps) {
  return (
    <Primitive.Item
      className={itemClass}
      onClick={onSelect}
      closeOnClick={false}
      {...(disabled !== undefined && { disabled })}
    >
      {icon}
      {children}
    </Primitive.Item>
  )
}
