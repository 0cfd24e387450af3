import { z } from 'zod'
import { route } from './route.ts'

const status = z.object({ status: z.string() })

export const healthRoutes = {
  alive: route({
    method: 'GET',
    path: '/healthz',
    summary: 'The process is alive',
    access: 'anyone',
    limit: 'none',
    answers: { 200: status },
  }),
  ready: route({
    method: 'GET',
    path: '/readyz',
    summary: 'The database is reachable and migrated',
    access: 'anyone',
    limit: 'probe',
    answers: { 200: status },
  }),
}
