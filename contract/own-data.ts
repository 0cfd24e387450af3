import { z } from 'zod'
import { givenPassword } from './accounts.ts'
import { route } from './route.ts'
import { done } from './values.ts'

export const accountDeletion = z.object({ password: givenPassword })

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
  deleteOwnAccount: route({
    method: 'DELETE',
    path: '/api/user',
    summary:
      'Delete your account. Records of payments stay, without your name. A 409 lists in `errors` what must end first: `path` is the submission or `account`',
    access: 'seller',
    limit: 'account',
    refuses: ['open_business', 'unreadable'],
    body: accountDeletion,
    answers: { 200: done },
  }),
}
