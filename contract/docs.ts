import { route } from './route.ts'

export const docsRoutes = {
  apiDocument: route({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'Every route, as OpenAPI 3.1',
    access: 'anyone',
    limit: 'read',
    answers: {},
    file: 'application/json',
  }),
  apiDocs: route({
    method: 'GET',
    path: '/api/docs',
    summary: 'The same as a page for people',
    access: 'anyone',
    limit: 'read',
    answers: {},
    file: 'text/html',
  }),
}
