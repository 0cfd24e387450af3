import { CardArt } from '#web/cards/CardArt.tsx'
import { ButtonLink } from '#web/kit/Button.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { paths } from '#web/words/paths.ts'

/** For addresses below /admin that are no screen. Also shown before signing in, so it says nothing about the staff area. */
export default function StaffNotFound() {
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-md content-center justify-items-center gap-3 px-4 text-center">
      <PageTitle>Page not found</PageTitle>
      <CardArt scene="lost" className="mb-6 h-28 w-auto" />
      <h1 className="text-2xl">This page does not exist</h1>
      <p className="pb-2 text-balance text-soft">The address may be mistyped, or the page has moved.</p>
      <ButtonLink to={paths.admin}>Back to the desk</ButtonLink>
    </main>
  )
}
