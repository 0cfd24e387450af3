import type { Route } from '#contract/route.ts'
import { send } from './call.ts'

/** Fetches a route that answers with a file, and the name that the file should have. @throws ApiError */
export async function callFile(
  route: Route,
  params: object,
  body?: object,
): Promise<{ bytes: Blob; name: string }> {
  const response = await send(route, { params, body })
  const [, name = ''] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
  return { bytes: await response.blob(), name }
}
