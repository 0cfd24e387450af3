import type { LimitName } from './route.ts'

export interface CallLimit {
  /** Calls allowed per client (a signed-in person, else an address)… */
  readonly points: number
  /** …within this many seconds. */
  readonly seconds: number
}

/** How often may be called what counts against each bucket. */
export const callLimits: Readonly<Record<Exclude<LimitName, 'none'>, CallLimit>> = {
  read: { points: 1200, seconds: 60 },
  write: { points: 300, seconds: 60 },
  signIn: { points: 20, seconds: 15 * 60 },
  adminSignIn: { points: 10, seconds: 15 * 60 },
  register: { points: 20, seconds: 60 * 60 },
  account: { points: 30, seconds: 60 * 60 },
  forgotPassword: { points: 10, seconds: 60 * 60 },
  confirmEmail: { points: 5, seconds: 60 * 60 },
  submit: { points: 60, seconds: 60 * 60 },
  // A fast reviewer decides 300 cards an hour: one reveal and three full-size photos each make 1,200.
  reveal: { points: 2000, seconds: 60 * 60 },
  contact: { points: 10, seconds: 60 * 60 },
  chat: { points: 60, seconds: 60 },
  probe: { points: 600, seconds: 60 },
}
