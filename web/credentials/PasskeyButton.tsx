import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { assertion, RequestOptions } from '#contract/passkeys.ts'
import { Button } from '#web/kit/Button.tsx'

interface SignIn<Answer> {
  options: () => Promise<RequestOptions>
  verify: (used: z.input<typeof assertion>) => Promise<Answer>
  onDone: (answer: Answer) => void
  onError: (error: Error) => void
}

/** Signs in with a passkey that the person chooses. */
export function usePasskeySignIn<Answer>({ options, verify, onDone, onError }: SignIn<Answer>) {
  return useMutation({
    mutationFn: async () => {
      const { signWithPasskey } = await import('./webauthn.ts')
      return verify(await signWithPasskey(await options()))
    },
    onSuccess: onDone,
    onError,
  })
}

interface PasskeyButtonProps {
  signIn: { isPending: boolean; isSuccess: boolean; mutate: () => void }
  children: ReactNode
}

/** Hidden where passkeys do not work, which `web/app/early/page.js` knows before the first paint. */
export function PasskeyButton({ signIn, children }: PasskeyButtonProps) {
  return (
    <Button
      variant="secondary"
      size="lg"
      wide
      loading={signIn.isPending}
      disabled={signIn.isSuccess}
      onClick={() => signIn.mutate()}
      icon={<KeyRound aria-hidden="true" className="size-5" />}
      className="in-data-no-passkeys:hidden"
    >
      {children}
    </Button>
  )
}
