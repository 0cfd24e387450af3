import { join } from 'node:path'
import staticFiles from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { screens } from '#contract/screens.ts'
import { sendRefusal } from './errors.ts'
import { notFound } from './refusal.ts'

/** Names with a hash in them never change; everything else is asked for anew. */
const HASHED = /\/assets\//

/**
 * Serves the built web app: its files, its page at each of its addresses, and the same page with 404 at any
 * other address that a browser opens. A missing file or call gets an error and not the page.
 */
export async function serveScreens(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(staticFiles, {
    root: folder,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (response, path) => {
      const cache = HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache'
      response.header('cache-control', cache)
    },
  })
  for (const screen of screens) app.get(screen, (_request, reply) => sendPage(reply))
  app.setNotFoundHandler((request, reply) =>
    opensPage(request) ? sendPage(reply.code(404)) : sendRefusal(notFound(), reply),
  )
}

function sendPage(reply: FastifyReply): FastifyReply {
  return reply.sendFile('index.html')
}

const NO_PAGES = /^\/(api|ws|uploads|assets)(\/|$)/

function opensPage({ method, url, headers }: FastifyRequest): boolean {
  const { pathname } = new URL(url, 'http://localhost')
  return method === 'GET' && !NO_PAGES.test(pathname) && (headers.accept ?? '').includes('text/html')
}

export const builtWeb = join(import.meta.dirname, '../../dist/web')
