import { z } from 'zod'
import { givenPassword, signedIn } from './accounts.ts'
import { administrator } from './administrators.ts'
import { route } from './route.ts'
import { done, id, instant } from './values.ts'

// The JSON of WebAuthn, as browsers and @simplewebauthn read and write it. https://www.w3.org/TR/webauthn-3/

/** Maximum passkeys per person. */
export const MAX_PASSKEYS = 20

const base64url = (max: number) => z.base64url().min(1).max(max)
const transports = z.array(z.string().max(32)).max(16)

/** What the browser asks a passkey to sign, to sign somebody in. Names no account: the person chooses the passkey. */
const requestOptions = z.object({
  challenge: z.string(),
  rpId: z.string().describe('The host of PUBLIC_URL'),
  timeout: z.number().int().describe('Milliseconds'),
  userVerification: z.literal('required'),
})
export type RequestOptions = z.infer<typeof requestOptions>

/** What the browser makes a new passkey from. */
const creationOptions = requestOptions.pick({ challenge: true, timeout: true }).extend({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number().int() })),
  excludeCredentials: z.array(z.object({ type: z.literal('public-key'), id: z.string(), transports })),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})
export type CreationOptions = z.infer<typeof creationOptions>

const credential = z.object({
  id: base64url(1400),
  rawId: base64url(1400),
  type: z.literal('public-key'),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
})

/** What a passkey has signed. */
export const assertion = credential.extend({
  response: z.object({
    clientDataJSON: base64url(8192),
    authenticatorData: base64url(8192),
    signature: base64url(8192),
    userHandle: base64url(128).describe('The account, which every passkey of ours stores'),
  }),
})
export type Assertion = z.output<typeof assertion>

/** A new passkey. */
export const attestation = credential.extend({
  response: z.object({
    clientDataJSON: base64url(8192),
    attestationObject: base64url(32_768),
    transports: transports.optional(),
  }),
})
export type Attestation = z.output<typeof attestation>

/** A passkey of the signed-in person. */
export const passkey = z.object({
  id,
  name: z.string().describe('The browser that added it, for example "Safari on iPhone"'),
  backedUp: z.boolean().describe('Whether a password manager keeps it on several devices'),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
})
export type Passkey = z.input<typeof passkey>

/** Required to add or remove a passkey. */
export const passwordCheck = z.object({ password: givenPassword })

const optionsToSignIn = {
  method: 'POST',
  summary: 'Get a challenge to sign in with a passkey. It works once, in this browser, for five minutes',
  access: 'anyone',
  answers: { 200: requestOptions },
} as const
const verify = {
  method: 'POST',
  access: 'anyone',
  refuses: ['invalid_credentials', 'challenge_used'],
  body: assertion,
} as const
const list = {
  method: 'GET',
  summary: 'Your passkeys, oldest first',
  limit: 'read',
  answers: { 200: z.array(passkey) },
} as const
const optionsToAdd = {
  method: 'POST',
  summary: 'Get the options for a new passkey. Needs your password. They work once, in this session',
  limit: 'account',
  refuses: ['too_many_passkeys'],
  body: passwordCheck,
  answers: { 200: creationOptions },
} as const
const add = {
  method: 'POST',
  limit: 'account',
  refuses: ['challenge_used', 'too_many_passkeys', 'taken'],
  body: attestation,
  answers: { 201: passkey },
} as const
const remove = {
  method: 'DELETE',
  limit: 'account',
  refuses: ['not_found'],
  body: passwordCheck.extend({ id }),
  answers: { 200: done },
} as const

export const passkeyRoutes = {
  passkeyOptions: route({ ...optionsToSignIn, path: '/api/auth/passkeys/options', limit: 'signIn' }),
  passkeySignIn: route({
    ...verify,
    path: '/api/auth/passkeys/verify',
    summary: 'Sign in with a passkey',
    limit: 'signIn',
    answers: { 200: signedIn },
  }),
  passkeys: route({ ...list, path: '/api/user/passkeys', access: 'seller' }),
  newPasskey: route({ ...optionsToAdd, path: '/api/user/passkeys/registration', access: 'seller' }),
  addPasskey: route({
    ...add,
    path: '/api/user/passkeys',
    summary: 'Add a passkey. Sends a security email',
    access: 'seller',
  }),
  removePasskey: route({
    ...remove,
    path: '/api/user/passkeys',
    summary: 'Remove a passkey. Needs your password and sends a security email',
    access: 'seller',
  }),

  adminPasskeyOptions: route({
    ...optionsToSignIn,
    path: '/api/admin/passkeys/options',
    limit: 'adminSignIn',
  }),
  adminPasskeySignIn: route({
    ...verify,
    path: '/api/admin/passkeys/verify',
    summary: 'Sign in as an administrator with a passkey, which counts as both factors',
    limit: 'adminSignIn',
    answers: { 200: administrator },
  }),
  adminPasskeys: route({
    ...list,
    path: '/api/admin/passkeys',
    access: 'use_account',
    withoutSecondFactor: true,
  }),
  newAdminPasskey: route({
    ...optionsToAdd,
    path: '/api/admin/passkeys/registration',
    access: 'use_account',
    withoutSecondFactor: true,
  }),
  addAdminPasskey: route({
    ...add,
    path: '/api/admin/passkeys',
    summary: 'Add a passkey. It also counts as a second factor',
    access: 'use_account',
    withoutSecondFactor: true,
  }),
  removeAdminPasskey: route({
    ...remove,
    path: '/api/admin/passkeys',
    summary: 'Remove a passkey. Needs your password',
    access: 'use_account',
  }),
}
