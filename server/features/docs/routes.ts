import { docsRoutes as routes } from '#contract/docs.ts'
import { describeApi } from '#contract/openapi/document.ts'
import { API_PAGE } from '#contract/screens.ts'
import type { Context } from '#server/context.ts'
import { sessionCookie } from '#server/features/people/sessions/sessions.ts'
import { PageFiles } from '#server/http/page-files.ts'
import { Refusal } from '#server/http/refusal.ts'
import { sendText } from '#server/http/screens.ts'
import type { Serve } from '#server/http/serve.ts'
import type { Site } from '#server/platform/config/site.ts'
import manifest from '../../../package.json' with { type: 'json' }

/**
 * The description of all routes, for programs and for people. Made when it is first asked for: most servers never are.
 * @param web the folder of the built web app, where the page for people is
 */
export function serveDocs(serve: Serve, { site }: Context, web: string | undefined): void {
  let reading: Promise<PageFiles> | undefined
  const pages = () => {
    reading ??= PageFiles.read(web ?? '')
    return reading
  }

  serve(routes.apiDocument, async ({ request, reply }) => {
    const document = await (await pages()).make('openapi.json', site.publicUrl, () => written(site))
    return sendText(request, reply.type('application/json; charset=utf-8'), document)
  })

  serve(routes.apiDocs, async ({ request, reply }) => {
    const page = await (await pages()).get(API_PAGE, site.publicUrl)
    if (!page) throw new Refusal('busy', 'The pages of this site are not built yet')
    reply.type('text/html; charset=utf-8').header('x-robots-tag', 'noindex')
    return sendText(request, reply, page)
  })
}

function written(site: Site): string {
  const cookies = { seller: sessionCookie(site, 'seller'), staff: sessionCookie(site, 'staff') }
  return JSON.stringify(describeApi({ name: site.productName, version: manifest.version, cookies }))
}
