import { z } from 'zod'
import { route } from './route.ts'

const health = z.object({ status: z.string() })

/** The routes that are about the server itself. */
export const serviceRoutes = {
  alive: route({
    method: 'GET',
    path: '/healthz',
    summary: 'The process is alive',
    access: 'anyone',
    limit: 'none',
    answers: { 200: health },
  }),
  ready: route({
    method: 'GET',
    path: '/readyz',
    summary: 'The start has finished, the database answers and the disk can be written',
    access: 'anyone',
    limit: 'probe',
    answers: { 200: health },
  }),
  apiDocument: route({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'Every route, as OpenAPI 3.1',
    access: 'anyone',
    limit: 'read',
    answers: {},
    file: 'application/json',
  }),
}
