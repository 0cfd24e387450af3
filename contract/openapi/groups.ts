import { accountRoutes } from '#contract/accounts.ts'
import { auditRoutes } from '#contract/audit.ts'
import { brandRoutes } from '#contract/brands.ts'
import { chatRoutes } from '#contract/chat.ts'
import { docsRoutes } from '#contract/docs.ts'
import { healthRoutes } from '#contract/health.ts'
import { paymentMethodRoutes } from '#contract/payment-methods.ts'
import { reviewRoutes } from '#contract/reviews.ts'
import type { Route } from '#contract/route.ts'
import { savedReplyRoutes } from '#contract/saved-replies.ts'
import { secondFactorRoutes } from '#contract/second-factor.ts'
import { staffRoutes } from '#contract/staff.ts'
import { staffChatRoutes } from '#contract/staff-chat.ts'
import { staffSubmissionRoutes } from '#contract/staff-submissions.ts'
import { submissionRoutes } from '#contract/submissions.ts'

/** The routes under the headings of the description, in its order. */
export const groups: readonly { readonly name: string; readonly routes: Readonly<Record<string, Route>> }[] =
  [
    { name: 'Brands', routes: brandRoutes },
    { name: 'Accounts', routes: accountRoutes },
    { name: 'Submissions', routes: submissionRoutes },
    { name: 'Payment methods', routes: paymentMethodRoutes },
    { name: 'Reviews', routes: reviewRoutes },
    { name: 'Chat and contact', routes: chatRoutes },
    { name: 'Desk', routes: { ...staffSubmissionRoutes, ...staffRoutes } },
    { name: "Staff's chat", routes: { ...staffChatRoutes, ...savedReplyRoutes } },
    { name: 'Second factor', routes: secondFactorRoutes },
    { name: 'Audit log', routes: auditRoutes },
    { name: 'Health', routes: healthRoutes },
    { name: 'This description', routes: docsRoutes },
  ]
