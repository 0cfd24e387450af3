import type { Page } from '@playwright/test'
import type { Scene } from './scene.ts'
import { sellerShots } from './sellers.ts'
import { staffShots } from './staff.ts'
import { visitorShots } from './visitors.ts'

/** A screen in one of its states. */
export interface Shot {
  readonly name: string
  /**
   * The newcomer has sold nothing yet, and the busy seller two hundred cards. The longwinded seller fills in texts of
   * the maximum length.
   */
  readonly as: 'visitor' | 'seller' | 'newcomer' | 'longwinded' | 'busy' | 'staff'
  readonly path: string | ((scene: Scene) => string)
  /** Runs on the open screen before the picture is taken. */
  readonly act?: (page: Page) => Promise<void>
  /** Runs before the screen opens, for example to make calls fail. */
  readonly before?: (page: Page) => Promise<void>
  /** Takes only the viewport, because a dialog covers the page. */
  readonly framed?: boolean
}

export const shots: readonly Shot[] = [...visitorShots, ...sellerShots, ...staffShots]
