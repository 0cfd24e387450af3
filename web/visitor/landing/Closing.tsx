import { ButtonLink } from '#web/kit/Button.tsx'
import { useSession } from '#web/wire/session.ts'
import { landing } from '#web/words/landing.ts'
import { paths } from '#web/words/paths.ts'

export function Closing() {
  const session = useSession()
  const { title, text, createAccount } = landing.closing
  return (
    <section
      aria-labelledby="closing"
      className="grid grid-cols-1 items-center gap-6 rounded-lg bg-accent-quiet p-6 md:p-12 lg:grid-cols-[1fr_auto] lg:gap-12"
    >
      <div className="grid gap-2">
        <h2 id="closing" className="text-3xl">
          {title}
        </h2>
        <p className="text-lg">{text}</p>
      </div>
      <div className="flex flex-col gap-3 sm:flex-row">
        <ButtonLink to={paths.getQuote} size="lg">
          {landing.getQuote}
        </ButtonLink>
        {session.status === 'signed-out' && (
          <ButtonLink to={paths.register} size="lg" variant="secondary">
            {createAccount}
          </ButtonLink>
        )}
      </div>
    </section>
  )
}
