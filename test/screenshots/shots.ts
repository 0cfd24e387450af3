import type { Page } from '@playwright/test'
import type { Scene } from './scene.ts'
import { sellerShots } from './sellers.ts'
import { visitorShots } from './visitors.ts'

/** A screen in a telling state. */
export interface Shot {
  readonly name: string
  /**
   * The newcomer has sold nothing yet, the busy one two hundred cards; whatever the longwinded one fills in is as
   * long as it may be.
   */
  readonly as: 'visitor' | 'seller' | 'newcomer' | 'longwinded' | 'busy' | 'staff'
  readonly path: string | ((scene: Scene) => string)
  /** What is done on it before the picture is taken. */
  readonly act?: (page: Page) => Promise<void>
  /** What is done before it is opened: calls that fail, say. */
  readonly before?: (page: Page) => Promise<void>
  /** Takes what fits on the screen only: a dialog stands over the page. */
  readonly framed?: boolean
}

const press = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click()
}

export const shots: readonly Shot[] = [
  ...visitorShots,
  ...sellerShots,
  { name: 'admin-login', as: 'visitor', path: '/admin/login' },
  { name: 'admin', as: 'staff', path: '/admin' },
  { name: 'admin-reject', as: 'staff', path: '/admin?status=pending', act: press(/^Reject/) },
  { name: 'admin-users', as: 'staff', path: '/admin?tab=users' },
  { name: 'admin-transactions', as: 'staff', path: '/admin?tab=transactions' },
  { name: 'admin-chat', as: 'staff', path: '/admin/chat' },
  { name: 'admin-brands', as: 'staff', path: '/admin/brands' },
  { name: 'admin-brands-edit', as: 'staff', path: '/admin/brands?q=etsy', act: press('Edit Etsy') },
  { name: 'admin-audit', as: 'staff', path: '/admin/audit' },
  { name: 'admin-security', as: 'staff', path: '/admin/security', act: press('Set up second factor') },
]
