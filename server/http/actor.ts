import type { FastifyRequest } from 'fastify'
import type { Route } from '#contract/route.ts'
import { type Capability, may, personalCapabilities, type Role } from '#domain/roles.ts'
import type { Locale } from '#words/locales.ts'
import { Refusal } from './refusal.ts'

interface Visitor {
  readonly kind: 'visitor'
}
export interface Seller {
  readonly kind: 'seller'
  readonly id: string
  readonly username: string
  readonly locale: Locale
  /** The hash that identifies the session. */
  readonly sid: string
}
export interface Staff {
  readonly kind: 'staff'
  readonly id: string
  readonly username: string
  /** Set if an API token calls. It acts for the person who created it, under a name that tells both apart. */
  readonly tokenId?: string
  readonly role: Role
  /** Must set up a second factor before anything else. */
  readonly needsSecondFactor: boolean
  readonly sid: string
}
export type Actor = Visitor | Seller | Staff

/** The server itself. */
export interface System {
  readonly kind: 'system'
}
export const system: System = { kind: 'system' }

/** Null if no person acts. */
export function idOf(actor: Seller | Staff | System): string | null {
  return actor.kind === 'system' ? null : actor.id
}

interface Actors {
  anyone: Visitor
  seller: Seller
}
/** The actor that a handler of this route gets. */
export type ActorOf<R extends Route> = R['access'] extends keyof Actors ? Actors[R['access']] : Staff

/** Finds the person of a session cookie, or of an API token. */
export interface FindActor {
  seller(request: FastifyRequest): Promise<Seller | undefined>
  staff(request: FastifyRequest): Promise<Staff | undefined>
}

/** What decides what staff may do. */
export type Rights = Pick<Staff, 'role' | 'tokenId'> & Partial<Pick<Staff, 'needsSecondFactor'>>

/** Whether an administrator may do this now. For checks outside of a route's `access`. */
export function mayNow(staff: Rights, capability: Capability): boolean {
  return !staff.needsSecondFactor && may(staff.role, capability) && !needsPerson(staff, capability)
}

/**
 * Finds who is calling. Throws `signed_out` if the route needs someone else, `totp_setup_required` if it needs a second
 * factor, `not_permitted` if it needs another role, and `person_required` if an API token may not call it.
 */
export async function admit(
  { access, withoutSecondFactor }: Pick<Route, 'access' | 'withoutSecondFactor'>,
  request: FastifyRequest,
  find: FindActor,
): Promise<Actor> {
  if (access === 'anyone') return { kind: 'visitor' }
  if (access === 'seller') {
    const seller = await find.seller(request)
    if (!seller) throw signedOut()
    return seller
  }
  const staff = await find.staff(request)
  if (!staff) throw signedOut('staff')
  if (staff.needsSecondFactor && !withoutSecondFactor) throw setupRequired()
  if (!may(staff.role, access)) throw notPermitted(staff)
  if (needsPerson(staff, access)) throw new Refusal('person_required', 'refusals.person_required')
  return staff
}

function needsPerson({ tokenId }: Rights, capability: Capability): boolean {
  return tokenId !== undefined && personalCapabilities.includes(capability)
}

export function signedOut(side: 'seller' | 'staff' = 'seller'): Refusal {
  return new Refusal('signed_out', side === 'seller' ? 'refusals.signed_out' : 'refusals.signed_out_staff')
}

export function setupRequired(): Refusal {
  return new Refusal('totp_setup_required', 'refusals.totp_setup_required')
}

export function notPermitted({ role }: Staff): Refusal {
  return new Refusal('not_permitted', 'refusals.not_permitted', { params: { role } })
}
