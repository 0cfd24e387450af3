import { accountRoutes } from './accounts.ts'
import { administratorRoutes } from './administrators.ts'
import { apiTokenRoutes } from './api-tokens.ts'
import { auditRoutes } from './audit.ts'
import { balanceConnectorRoutes } from './balance-connectors.ts'
import { brandRoutes } from './brands.ts'
import { chatRoutes } from './chat.ts'
import { holdRoutes } from './holds.ts'
import { homeRoutes } from './home.ts'
import { inventoryRoutes } from './inventory.ts'
import { ledgerRoutes } from './ledger.ts'
import { mailBounceRoutes } from './mail-bounces.ts'
import { notificationRoutes } from './notifications.ts'
import { oidcRoutes } from './oidc.ts'
import { ownDataRoutes } from './own-data.ts'
import { passkeyRoutes } from './passkeys.ts'
import { paymentMethodRoutes } from './payment-methods.ts'
import { payoutRoutes } from './payouts.ts'
import { policyRoutes } from './policies.ts'
import { pushRoutes } from './push.ts'
import { reportRoutes } from './reports.ts'
import { reviewRoutes } from './reviews.ts'
import { savedReplyRoutes } from './saved-replies.ts'
import { secondFactorRoutes } from './second-factor.ts'
import { sellerRoutes } from './sellers.ts'
import { serviceRoutes } from './service.ts'
import { staffRoutes } from './staff.ts'
import { staffAccountRoutes } from './staff-accounts.ts'
import { staffChatRoutes } from './staff-chat.ts'
import { staffSubmissionRoutes } from './staff-submissions.ts'
import { statementRoutes } from './statements.ts'
import { submissionRoutes } from './submissions.ts'
import { systemRoutes } from './system.ts'
import { taxDetailsRoutes } from './tax-details.ts'
import { webhookRoutes } from './webhooks.ts'

/** Every route, for the server, the web app and the tests. */
export const routes = {
  ...accountRoutes,
  ...administratorRoutes,
  ...oidcRoutes,
  ...secondFactorRoutes,
  ...passkeyRoutes,
  ...brandRoutes,
  ...submissionRoutes,
  ...homeRoutes,
  ...staffSubmissionRoutes,
  ...statementRoutes,
  ...ownDataRoutes,
  ...paymentMethodRoutes,
  ...notificationRoutes,
  ...mailBounceRoutes,
  ...pushRoutes,
  ...payoutRoutes,
  ...reviewRoutes,
  ...staffRoutes,
  ...staffAccountRoutes,
  ...apiTokenRoutes,
  ...webhookRoutes,
  ...balanceConnectorRoutes,
  ...policyRoutes,
  ...sellerRoutes,
  ...holdRoutes,
  ...inventoryRoutes,
  ...chatRoutes,
  ...staffChatRoutes,
  ...savedReplyRoutes,
  ...auditRoutes,
  ...reportRoutes,
  ...taxDetailsRoutes,
  ...ledgerRoutes,
  ...systemRoutes,
  ...serviceRoutes,
}
