/** The addresses of the screens; the server answers any other one with the 404 page. */
export const screens = [
  '/',
  '/get-quote',
  '/quote',
  '/sell-card',
  '/confirmation',
  '/login',
  '/register',
  '/transactions',
  '/processing',
  '/admin',
  '/admin/login',
] as const
export type Screen = (typeof screens)[number]
