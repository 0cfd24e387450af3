import { z } from 'zod'
import { route } from './route.ts'
import { done, email, id, optionalText, text, time } from './values.ts'

/** The signed-in seller, as their own calls show them. */
export const user = z.object({
  id,
  username: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  phoneNumber: z.string().nullable(),
  role: z.string(),
  verified: z.boolean(),
  createdAt: time,
  /** Whether the top bar shows the Admin Dashboard shortcut; it grants nothing. */
  showsAdminDashboard: z.boolean(),
})
export type User = z.infer<typeof user>

export const PASSWORD_LENGTH = { min: 8, max: 128 } as const

const newPassword = z
  .string({ error: 'Password is required' })
  .min(1, 'Password is required')
  .min(PASSWORD_LENGTH.min, `Password must be at least ${PASSWORD_LENGTH.min} characters`)
  .max(PASSWORD_LENGTH.max, `Password must be at most ${PASSWORD_LENGTH.max} characters`)
  .refine((password) => password.isWellFormed(), 'Password has characters that cannot be stored')

const givenPassword = z
  .string({ error: 'Password is required' })
  .min(1, 'Password is required')
  .max(1024, 'Password is too long')

export const username = text({ max: 30, required: 'Username is required' }).refine(
  (name) => /^[\p{L}\p{N}._-]*$/u.test(name),
  'Username may have letters, numbers, dots, dashes and underscores',
)

export const registration = z.object({
  username,
  email: email('Please enter a valid email'),
  password: newPassword,
  firstName: text({ max: 100, required: 'First name is required' }),
  lastName: text({ max: 100, required: 'Last name is required' }),
  phoneNumber: optionalText(30),
})

export const signIn = z.object({ email: email('Please enter a valid email'), password: givenPassword })

export const adminSignIn = z.object({
  username: text({ max: 255, required: 'Username is required' }),
  password: givenPassword,
})

/** The signed-in administrator. */
export const administrator = z.object({ id, username: z.string() })
export type Administrator = z.infer<typeof administrator>

const signedIn = z.object({ user })

export const accountRoutes = {
  me: route({
    method: 'GET',
    path: '/api/auth/me',
    summary: 'Who is signed in',
    access: 'seller',
    limit: 'read',
    answers: { 200: signedIn },
  }),
  login: route({
    method: 'POST',
    path: '/api/auth/login',
    summary: 'Sign in',
    access: 'anyone',
    limit: 'signIn',
    body: signIn,
    answers: { 200: signedIn },
  }),
  register: route({
    method: 'POST',
    path: '/api/auth/register',
    summary: 'Create an account and sign in',
    access: 'anyone',
    limit: 'register',
    body: registration,
    answers: { 201: signedIn },
  }),
  logout: route({
    method: 'POST',
    path: '/api/auth/logout',
    summary: 'Sign out; fine when signed out already',
    access: 'anyone',
    limit: 'write',
    answers: { 200: done },
  }),
  adminMe: route({
    method: 'GET',
    path: '/api/admin/me',
    summary: 'Which administrator is signed in',
    access: 'staff',
    limit: 'read',
    answers: { 200: administrator },
  }),
  adminLogin: route({
    method: 'POST',
    path: '/api/admin/login',
    summary: 'Sign in as an administrator',
    access: 'anyone',
    limit: 'adminSignIn',
    body: adminSignIn,
    answers: { 200: administrator },
  }),
  adminLogout: route({
    method: 'POST',
    path: '/api/admin/logout',
    summary: 'Sign the administrator out; fine when signed out already',
    access: 'anyone',
    limit: 'write',
    answers: { 200: done },
  }),
}
