import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type OidcOutcome, oidcRoutes as routes } from '#contract/oidc.ts'
import { screens } from '#contract/screens.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import { notFound, Refusal } from '#server/http/refusal.ts'
import type { Serve } from '#server/http/serve.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { blindIndex } from '#server/platform/vault/seal.ts'
import { refuseIfOn } from '../credentials/second-factor.ts'
import { cookieAttributes, cookieName } from '../sessions/cookies.ts'
import type { SignInTools } from '../sessions/sessions.ts'
import { bindIdentity, findAccount, type IdentifiedAdministrator } from './oidc-accounts.ts'
import { type Identity, type OidcFlow, OidcProvider, type OidcSettings } from './oidc-provider.ts'
import * as signIn from './sign-in.ts'

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Who the provider has named, while a code is still missing. */
type Named = IdentifiedAdministrator & Pick<Identity, 'issuer' | 'subject'>

/** Signing in to the staff area through a provider. Without settings, no address of it exists. */
export function serveOidc(
  serve: Serve,
  context: Context,
  { sessions }: SignInTools,
  settings: OidcSettings | undefined,
): void {
  const provider = settings && new OidcProvider(settings)
  const flows = new SignedCookie<OidcFlow>(context, { name: 'unspent_oidc', sameSite: 'lax' })
  const steps = new SignedCookie<Named>(context, { name: 'unspent_oidc_step', sameSite: 'strict' })
  const redirectUri = () => `${context.site.publicUrl}${routes.finishOidc.path}`

  const failed = (err: unknown) => {
    context.log.warn({ err }, 'cannot sign in through the provider of OIDC_ISSUER')
    return 'failed' as const
  }
  const go = (reply: FastifyReply, address: string) =>
    reply.header('cache-control', 'no-store').redirect(address)
  const back = (reply: FastifyReply, outcome: OidcOutcome) =>
    go(reply, `${screens.adminLogin.path}?oidc=${outcome}`)

  serve(routes.oidcProvider, async () => ({ name: settings?.name ?? null }))

  serve(routes.startOidc, async ({ reply }) => {
    if (!provider) throw notFound()
    const started = await provider.start(redirectUri()).catch(failed)
    if (started === 'failed') return back(reply, started)
    flows.set(reply, started.flow)
    return go(reply, started.url.href)
  })

  serve(routes.finishOidc, async ({ request, reply }) => {
    if (!provider) throw notFound()
    const flow = flows.take({ request, reply })
    if (!flow) return back(reply, 'expired')
    // The query as it was sent, at our own address: the Host header is the client's.
    const returned = new URL(redirectUri() + new URL(request.raw.url ?? '', 'http://here').search)
    const identity = await provider.finish(returned, flow).catch(failed)
    if (typeof identity === 'string') return back(reply, identity)
    const administrator = await findAccount(context, identity)
    if (typeof administrator === 'string') {
      await recordRefusal(identity, administrator)
      return back(reply, administrator)
    }
    const named = { ...administrator, issuer: identity.issuer, subject: identity.subject }
    try {
      await startSession(named, undefined, { request, reply })
    } catch (error) {
      const outcome = outcomeOf(error)
      if (outcome === undefined) throw error
      if (outcome === 'code_needed') steps.set(reply, named)
      return back(reply, outcome)
    }
    return go(reply, screens.admin.path)
  })

  serve(routes.oidcCode, async ({ body, request, reply }) => {
    if (!provider) throw notFound()
    const named = steps.read(request)
    if (!named) throw expired()
    await startSession(named, body.code, { request, reply })
    steps.clear(reply)
    return signIn.findOwnAdministrator(context, named.id)
  })

  /** Throws `Refusal`, for example because a code is missing or wrong. */
  async function startSession(named: Named, code: string | undefined, { request, reply }: Exchange) {
    const trusted = settings?.trustMfa === true
    const through = { with: settings?.name ?? '' }
    const details: Readonly<Record<string, string>> = trusted
      ? through
      : await signIn.checkCode(context, named, code, through)
    const within = async (tx: Parameters<typeof bindIdentity>[0]) => {
      if (!trusted && !details.factor) await refuseIfOn(tx, named.id)
      if (!(await bindIdentity(tx, named, named))) throw new OtherIdentity()
      await signIn.recordSignIn(tx, named, details)
    }
    await sessions.start('staff', named.id, request, reply, within, { trusted })
  }

  async function recordRefusal({ issuer, subject, email }: Identity, reason: OidcOutcome): Promise<void> {
    const name = email ?? `${issuer} ${subject}`
    await transaction(context.db, (tx) =>
      record(tx, {
        actor: { kind: 'visitor' },
        action: 'admin.sign_in_refused',
        subject: { kind: 'administrator', id: signIn.hashedName(context, name) },
        details: { with: settings?.name, refusal: reason },
      }),
    )
  }
}

class OtherIdentity extends Error {
  override name = 'OtherIdentity'
}

/** What the sign-in screen says about a refusal. Undefined for failures on our side. */
function outcomeOf(error: unknown): OidcOutcome | undefined {
  if (error instanceof OtherIdentity) return 'other_identity'
  if (!(error instanceof Refusal)) return undefined
  if (error.code === 'totp_required') return 'code_needed'
  if (error.code === 'passkey_required') return 'passkey_needed'
  return error.code === 'invalid_credentials' ? 'disabled' : undefined
}

const expired = () => new Refusal('invalid_credentials', 'refusals.oidc_expired')

const SECONDS = 10 * 60

/** A short-lived value that only this server can have set. Scripts cannot read it. */
class SignedCookie<Value extends object> {
  readonly #context: Context
  readonly #name: string
  readonly #attributes

  /** @param sameSite `lax` for what another site's page leads back to */
  constructor(context: Context, { name, sameSite }: { name: string; sameSite: 'lax' | 'strict' }) {
    this.#context = context
    this.#name = cookieName(context.site, name)
    this.#attributes = { ...cookieAttributes(context.site), sameSite } as const
  }

  set(reply: FastifyReply, value: Value): void {
    const until = Date.now() + SECONDS * 1000
    const payload = Buffer.from(JSON.stringify({ value, until })).toString('base64url')
    const signed = `${payload}.${this.#sign(payload).toString('base64url')}`
    reply.setCookie(this.#name, signed, { ...this.#attributes, maxAge: SECONDS })
  }

  /** Undefined if there is none, or it has expired or was changed. */
  read({ cookies }: FastifyRequest): Value | undefined {
    const [payload = '', signature = ''] = (cookies[this.#name] ?? '').split('.')
    const [expected, given] = [this.#sign(payload), Buffer.from(signature, 'base64url')]
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
    const { value, until } = JSON.parse(Buffer.from(payload, 'base64url').toString())
    return until > Date.now() ? value : undefined
  }

  /** Reads and removes it. */
  take({ request, reply }: Exchange): Value | undefined {
    this.clear(reply)
    return this.read(request)
  }

  clear(reply: FastifyReply): void {
    reply.clearCookie(this.#name, this.#attributes)
  }

  #sign(payload: string): Buffer {
    return blindIndex(this.#context.keys, this.#name, payload)
  }
}
