import {
  type PublicKeyCredentialCreationOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import type { z } from 'zod'
import type { assertion, attestation, CreationOptions, RequestOptions } from '#contract/passkeys.ts'
import { ApiError } from '#web/wire/errors.ts'
import { translate } from '#web/words/words.ts'

// Loaded at the first press: most visits use no passkey.

/** Lets the person choose a passkey, and returns what it has signed. @throws ApiError that says what went wrong */
export async function signWithPasskey(options: RequestOptions): Promise<z.input<typeof assertion>> {
  const used = await startAuthentication({ optionsJSON: options }).catch((error) => {
    throw explained(error, 'notUsed')
  })
  return used as z.input<typeof assertion>
}

/** Makes a passkey. @throws ApiError that says what went wrong */
export async function newPasskey(options: CreationOptions): Promise<z.input<typeof attestation>> {
  const made = await startRegistration({
    optionsJSON: options as PublicKeyCredentialCreationOptionsJSON,
  }).catch((error) => {
    throw explained(error, 'notMade')
  })
  return made as z.input<typeof attestation>
}

/** Browsers do not tell apart who canceled, who waited too long and who has no passkey, to protect privacy. */
function explained(error: Error, nothing: 'notUsed' | 'notMade'): ApiError {
  const t = translate()
  switch (error.name) {
    case 'NotAllowedError':
    case 'AbortError':
      return new ApiError(0, 'no_passkey', t(`passkeys.${nothing}`))
    case 'InvalidStateError':
      return new ApiError(0, 'no_passkey', t('passkeys.exists'))
    case 'ConstraintError':
    case 'NotSupportedError':
      return new ApiError(0, 'no_passkey', t('passkeys.unsuitable'))
    case 'SecurityError':
      return new ApiError(0, 'no_passkey', t('passkeys.address'))
    default:
      return new ApiError(0, 'no_passkey', t('passkeys.broken'))
  }
}
