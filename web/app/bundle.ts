import type { ComponentType } from 'react'
import type { Namespace } from '#words/keys.ts'

/** The file of a screen or layout. */
export interface Bundle {
  load: () => Promise<{ default: ComponentType }>
  /** The texts it needs besides `site`. A test compares them with its imports. */
  words?: readonly Namespace[]
}
