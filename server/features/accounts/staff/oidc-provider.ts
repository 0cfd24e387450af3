import type { Configuration } from 'openid-client'
import type { OidcOutcome } from '#contract/oidc.ts'

export interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** On the button. */
  readonly name: string
  /** Whether a sign-in there counts as a second factor here. */
  readonly trustMfa: boolean
}

/** What the browser that began a sign-in keeps, in a signed cookie. */
export interface OidcFlow {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** A person as the provider knows them. `subject` never changes, and is unique at the issuer. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  /** Undefined unless the provider has verified it. In lower case. */
  readonly email: string | undefined
}

const TIMEOUT_SECONDS = 10

/** The provider of OIDC_ISSUER: authorization code flow with PKCE, state and nonce. */
export class OidcProvider {
  readonly settings: OidcSettings
  #configuration: Promise<Configuration> | undefined

  constructor(settings: OidcSettings) {
    this.settings = settings
  }

  /** Where to send the browser, and what it keeps until it comes back. Rejects if the provider does not answer. */
  async start(redirectUri: string): Promise<{ url: URL; flow: OidcFlow }> {
    const client = await library()
    const flow = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    }
    const url = client.buildAuthorizationUrl(await this.#discovered(), {
      redirect_uri: redirectUri,
      scope: 'openid email',
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: 'S256',
    })
    return { url, flow }
  }

  /**
   * Exchanges the code for the person's identity. Rejects if the provider does not answer or the response is not for this flow.
   * @param returned the address that the provider sent the browser to
   */
  async finish(returned: URL, { state, nonce, verifier }: OidcFlow): Promise<Identity | OidcOutcome> {
    const client = await library()
    if (returned.searchParams.get('error') === 'access_denied') return 'cancelled'
    const configuration = await this.#discovered()
    const tokens = await client.authorizationCodeGrant(configuration, returned, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) return 'failed'
    // Many providers leave the address out of the token.
    const { email, email_verified: isVerified } =
      claims.email === undefined
        ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : claims
    return {
      issuer: claims.iss,
      subject: claims.sub,
      email: isVerified === true && typeof email === 'string' ? email.toLowerCase() : undefined,
    }
  }

  /** The provider's endpoints. Asked for once; after a failure, again. */
  #discovered(): Promise<Configuration> {
    this.#configuration ??= this.#discover().catch((error) => {
      this.#configuration = undefined
      throw error
    })
    return this.#configuration
  }

  async #discover(): Promise<Configuration> {
    const client = await library()
    const { issuer, clientId, clientSecret } = this.settings
    const [basic, post] = [client.ClientSecretBasic(clientSecret), client.ClientSecretPost(clientSecret)]
    return client.discovery(
      new URL(issuer),
      clientId,
      undefined,
      // Basic is the default of the standard.
      (server, ...rest) => {
        const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
        return methods.includes('client_secret_basic') ? basic(server, ...rest) : post(server, ...rest)
      },
      {
        timeout: TIMEOUT_SECONDS,
        // The setting allows http only for this machine.
        execute: issuer.startsWith('http:') ? [client.allowInsecureRequests] : [],
      },
    )
  }
}

/** Loaded on demand: most shops have no provider. */
const library = () => import('openid-client')
