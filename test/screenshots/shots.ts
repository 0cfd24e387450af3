import type { Page } from '@playwright/test'
import type { Scene } from './scene.ts'
import { visitorShots } from './visitors.ts'

/** A screen in a telling state. */
export interface Shot {
  readonly name: string
  readonly as: 'visitor' | 'seller' | 'staff'
  readonly path: string | ((scene: Scene) => string)
  /** What is done on it before the picture is taken. */
  readonly act?: (page: Page) => Promise<void>
}

const press = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click()
}

export const shots: readonly Shot[] = [
  ...visitorShots,
  { name: 'sell-card', as: 'seller', path: '/sell-card?brand=visa&value=200&quote=182' },
  {
    name: 'sell-card-form',
    as: 'seller',
    path: '/sell-card?brand=visa&value=200&quote=182',
    act: press('Continue to Submission'),
  },
  {
    name: 'sell-card-refused',
    as: 'seller',
    path: '/sell-card?brand=visa&value=200&quote=182',
    act: async (page) => {
      await press('Continue to Submission')(page)
      await page.getByRole('button', { name: /^Upload/ }).click({ force: true })
    },
  },
  {
    name: 'confirmation',
    as: 'seller',
    path: '/confirmation?transactionId=01890000-0000-7000-8000-000000000000&giftCardId=01890000-0000-7000-8000-000000000001',
  },
  { name: 'transactions', as: 'seller', path: '/transactions' },
  { name: 'processing', as: 'seller', path: '/processing' },
  { name: 'profile', as: 'seller', path: '/profile' },
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
