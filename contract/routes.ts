import { accountRoutes } from './accounts.ts'
import { brandRoutes } from './brands.ts'
import { healthRoutes } from './health.ts'
import { submissionRoutes } from './submissions.ts'

/** The table of everything that can be called: server, web and tests all read this one. */
export const routes = { ...accountRoutes, ...brandRoutes, ...submissionRoutes, ...healthRoutes }
