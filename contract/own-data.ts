import { route } from './route.ts'

export const ownDataRoutes = {
  exportOwnData: route({
    method: 'GET',
    path: '/api/user/export',
    summary:
      'Everything we keep about you, as a ZIP file of JSON and photos. Card and bank numbers are masked. Sends a security email',
    access: 'seller',
    limit: 'export',
    answers: {},
    file: 'application/zip',
  }),
}
