import type { FastifyRequest } from 'fastify'
import type { Access, Route } from '#contract/route.ts'
import type { Locale } from '#words/locales.ts'
import { Refusal } from './refusal.ts'

export interface Visitor {
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
  readonly sid: string
}
export type Actor = Visitor | Seller | Staff

interface Actors {
  anyone: Visitor
  seller: Seller
  staff: Staff
}
/** The actor a handler of this route gets. Finding one is the permission check. */
export type ActorOf<R extends Route> = Actors[R['access']]

/** Finds the person of a session cookie. Implemented by the sessions. */
export interface FindActor {
  seller(request: FastifyRequest): Promise<Seller | undefined>
  staff(request: FastifyRequest): Promise<Staff | undefined>
}

/** Finds who is calling. Throws `signed_out` if the route needs someone else. */
export async function admit(access: Access, request: FastifyRequest, find: FindActor): Promise<Actor> {
  if (access === 'anyone') return { kind: 'visitor' }
  const actor = await find[access](request)
  if (!actor) throw signedOut(access)
  return actor
}

export function signedOut(access: Exclude<Access, 'anyone'> = 'seller'): Refusal {
  return new Refusal('signed_out', access === 'seller' ? 'refusals.signed_out' : 'refusals.signed_out_staff')
}
