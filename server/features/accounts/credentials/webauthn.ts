import type { RegistrationResponseJSON, WebAuthnCredential } from '@simplewebauthn/server'
import { parse as parseUuid } from 'uuid'
import type { Assertion, Attestation } from '#contract/passkeys.ts'
import type { Context } from '#server/context.ts'
import type { Site } from '#server/platform/config/site.ts'

/** EdDSA, ES256 and RS256: what authenticators offer and Node.js verifies. https://www.iana.org/assignments/cose */
export const ALGORITHMS = [-8, -7, -257]

/** Where passkeys work. They are bound to the host, so another PUBLIC_URL needs new ones. */
export function relyingParty({ publicUrl }: Pick<Site, 'publicUrl'>): { id: string; origin: string } {
  const { hostname, origin } = new URL(publicUrl)
  return { id: hostname, origin }
}

/** What a passkey stores to name its account. It contains nothing about the person. */
export function userHandle(accountId: string): string {
  return Buffer.from(parseUuid(accountId)).toString('base64url')
}

// Loaded at the first use: it takes 26 MB of memory, and many shops have no passkeys.
const library = () => import('@simplewebauthn/server')

/** The new passkey. Undefined if it is not an answer to this challenge by a verified person on this site. */
export async function verifyAttestation(
  { site, log }: Pick<Context, 'site' | 'log'>,
  { response, challenge }: { response: Attestation; challenge: string },
) {
  const { verifyRegistrationResponse } = await library()
  const { id, origin } = relyingParty(site)
  try {
    await refuseCertificates(response)
    const { registrationInfo } = await verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    return registrationInfo
  } catch (error) {
    log.info({ reason: String(error) }, 'refused a new passkey')
    return undefined
  }
}

/**
 * Throws for a statement about the device that holds certificates: the library fetches addresses that they name. Browsers
 * do not send one, because we do not ask for one: https://www.w3.org/TR/webauthn-3/#sctn-createCredential
 */
async function refuseCertificates({ response }: Attestation): Promise<void> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  const object = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject))
  const format = object.get('fmt')
  const signedByItself = format === 'packed' && !object.get('attStmt').get('x5c')
  if (format !== 'none' && !signedByItself) throw new Error(`An attestation in the format ${format}`)
}

/**
 * The new state of the passkey. Undefined if it has not signed this challenge for a verified person on this site. The
 * caller compares the counter, because the library would not say that this was the reason.
 */
export async function verifyAssertion(
  { site, log }: Pick<Context, 'site' | 'log'>,
  { response, challenge, ...credential }: Expected,
): Promise<{ counter: number; backedUp: boolean } | undefined> {
  const { verifyAuthenticationResponse } = await library()
  const { id, origin } = relyingParty(site)
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      credential: { ...credential, counter: 0 },
    })
    if (!verified) return undefined
    return { counter: authenticationInfo.newCounter, backedUp: authenticationInfo.credentialBackedUp }
  } catch (error) {
    log.info({ reason: String(error) }, 'refused a passkey')
    return undefined
  }
}

interface Expected extends Pick<WebAuthnCredential, 'id' | 'publicKey'> {
  readonly response: Assertion
  readonly challenge: string
}
