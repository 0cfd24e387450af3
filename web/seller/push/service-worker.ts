import { once } from '#web/kit/once.ts'

const ADDRESS = '/service-worker.js'

/** Registers the service worker (web/app/service-worker.js). Rejects if the browser refuses it, as in private windows. */
export const registerServiceWorker = once(() => navigator.serviceWorker.register(trustedAddress()))

/** The policy of the page allows one script address to be made from a text, once: this one (server/http/headers.ts). */
function trustedAddress(): string {
  const { trustedTypes } = globalThis as TrustedTypes
  const policy = trustedTypes?.createPolicy('service-worker', { createScriptURL: () => ADDRESS })
  return policy?.createScriptURL('') ?? ADDRESS
}

/** The part of Trusted Types that is used here, which the types of the browser lack. Such an address is typed as a text. */
interface TrustedTypes {
  readonly trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL: () => string },
    ): { createScriptURL: (text: string) => string }
  }
}
