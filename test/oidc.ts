import { createServer } from 'node:http'
import Provider from 'oidc-provider'
import { afterwards } from './afterwards.ts'
import { portOf } from './smtp-server.ts'

export const OIDC_CLIENT = { clientId: 'shop', clientSecret: 'a secret of the shop and of the provider' }

/** Who signs in at the provider next. */
interface Claims {
  sub: string
  email: string
  email_verified: boolean
}

export interface TestProvider {
  readonly issuer: string
  /** The person who signs in at the provider next. */
  person: Claims
  /** Answers the sign-in with an error instead. */
  refusal: string | undefined
  /** Signs the person in at the provider, as a browser would. Returns the address that it sends the browser back to. */
  visit(authorizationUrl: string): Promise<string>
}

/** A real OpenID Connect provider on this machine. It stops after the tests of the file. */
export async function oidcProvider(redirectUri: string): Promise<TestProvider> {
  const listening = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => listening.once('listening', resolve))
  afterwards(() => new Promise<void>((resolve) => void listening.close(() => resolve())))
  const issuer = `http://127.0.0.1:${portOf(listening)}`
  const known = new Map<string, Claims>()
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: OIDC_CLIENT.clientId,
        client_secret: OIDC_CLIENT.clientSecret,
        redirect_uris: [redirectUri],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    ttl: { Interaction: 60, Grant: 60, Session: 60, AccessToken: 60, IdToken: 60 },
    pkce: { required: () => true },
    cookies: { keys: ['a key of the test'] },
    interactions: { url: () => '/interaction' },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => known.get(accountId),
    }),
    async loadExistingGrant({ oidc }: { oidc: { session: { accountId: string } } }) {
      const grant = new provider.Grant({ accountId: oidc.session.accountId, clientId: OIDC_CLIENT.clientId })
      grant.addOIDCScope('openid email')
      await grant.save()
      return grant
    },
  })
  const handle = provider.callback()
  const test: TestProvider = {
    issuer,
    person: { sub: 'nobody', email: 'nobody@example.com', email_verified: true },
    refusal: undefined,
    async visit(authorizationUrl) {
      const cookies = new Map<string, string>()
      for (let url = authorizationUrl; ; ) {
        if (url.startsWith(redirectUri)) return url
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
        for (const set of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
          if (value) cookies.set(name, value)
          else cookies.delete(name)
        }
        const next = answer.headers.get('location')
        if (next === null) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`)
        url = new URL(next, url).href
      }
    },
  }
  listening.on('request', (request, response) => {
    if (request.url !== '/interaction') return void handle(request, response)
    known.set(test.person.sub, test.person)
    const result = test.refusal ? { error: test.refusal } : { login: { accountId: test.person.sub } }
    void provider.interactionFinished(request, response, result)
  })
  return test
}
