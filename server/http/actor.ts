import type { FastifyRequest } from 'fastify'
import type { Access, Route } from '#contract/route.ts'
import { Refusal } from './refusal.ts'

/** Who is behind a request. */
export interface Visitor {
  readonly kind: 'visitor'
}
export interface Seller {
  readonly kind: 'seller'
  readonly id: string
  readonly username: string
  /** The hash under which the session is kept. */
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
/** Who a handler of this route is handed: the look-up is the permission. */
export type ActorOf<R extends Route> = Actors[R['access']]

/** Finds the person of a session cookie; the accounts know how. */
export interface FindActor {
  seller(request: FastifyRequest): Promise<Seller | undefined>
  staff(request: FastifyRequest): Promise<Staff | undefined>
}

/** The person whom this route is for, or a refusal. */
export async function admit(access: Access, request: FastifyRequest, find: FindActor): Promise<Actor> {
  if (access === 'anyone') return { kind: 'visitor' }
  const actor = await find[access](request)
  if (!actor) throw signedOut(access)
  return actor
}

/** Whoever is not signed in, or no longer. */
export function signedOut(access: Exclude<Access, 'anyone'> = 'seller'): Refusal {
  return new Refusal(
    'signed_out',
    access === 'seller' ? 'Please sign in' : 'Please sign in as an administrator',
  )
}
