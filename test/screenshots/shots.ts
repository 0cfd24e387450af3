import type { Page } from '@playwright/test'
import type { Scene } from './scene.ts'
import { sellerShots } from './sellers.ts'
import { staffShots } from './staff.ts'
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

export const shots: readonly Shot[] = [...visitorShots, ...sellerShots, ...staffShots]
