import { createECDH } from 'node:crypto'
import type { Route } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
import { encodeMultipart, type Part } from '../multipart.ts'
import { ADMIN_PASSWORD, SELLER_PASSWORD } from '../people.ts'
import { policyTerms } from '../policies.ts'
import { photo, submissionParts } from '../submissions.ts'
import type { Subject } from './subjects.ts'

export type RouteName = keyof typeof routes

/** A valid call of a route, and its answer for callers with access. */
export interface Call {
  /** What it names, which can be someone else's, missing or malformed. */
  readonly names?: Subject
  /** Puts the name into the query instead of the path. */
  readonly query?: (id: string) => Record<string, string>
  readonly body?: (id: string) => object
  readonly parts?: (id: string) => Promise<readonly Part[]>
  /** The expected answer, if it is not the highest status of the contract. */
  readonly answer?: string
  /** The answer for a missing name, if it is not 404. Someone else's is always answered the same. */
  readonly missing?: string
  /** The answer for a malformed name, if it is not 400. */
  readonly malformed?: string
  /** Changes who is signed in, so it needs a separate browser. */
  readonly signsInOrOut?: true
}

const message = 'Hello, is anyone there?'
const madeUpPasskey = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' }
const signsInByPasskey: Call = {
  signsInOrOut: true,
  body: () => ({
    ...madeUpPasskey,
    response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA', userHandle: 'AAAA' },
  }),
  answer: '409 challenge_used',
}
const addsPasskey: Call = {
  body: () => ({ ...madeUpPasskey, response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' } }),
  answer: '400 invalid',
}
const brand = { name: 'Acme', category: 'Retail', rate: '80', minAmount: '10', maxAmount: '200' }
const policy = { ...policyTerms, mode: 'shadow' }
const names = (subject: Subject): Call => ({ names: subject })
const submission = names('submission')
const photoOf = { ...names('photo'), malformed: '404 not_found' }
const withParts =
  (fields: (id: string) => Record<string, string>) =>
  async (id: string): Promise<readonly Part[]> =>
    submissionParts(fields(id), [await photo()])

const bankStatement: Part = {
  ...{ name: 'file', filename: 'statement.csv', type: 'text/csv' },
  bytes: Buffer.from('Date,Description,Amount\r\n2026-11-24,ACH FEE,-4.95\r\n'),
}

/** Every route that takes more than its bare address. The access test fails for a missing one. */
export const calls: Partial<Record<RouteName, Call>> = {
  login: { signsInOrOut: true, body: () => ({ email: 'sam@example.com', password: SELLER_PASSWORD }) },
  register: {
    signsInOrOut: true,
    body: () => {
      const username = `new${Math.random().toString(36).slice(2, 10)}`
      const person = { username, email: `${username}@example.com`, firstName: 'N', lastName: 'N' }
      return { ...person, password: SELLER_PASSWORD }
    },
  },
  logout: { signsInOrOut: true },
  updateProfile: { body: () => ({ firstName: 'S', lastName: 'S', email: `x${Math.random()}@example.com` }) },
  changeLocale: { body: () => ({ locale: 'en' }) },
  subscribeToPushes: {
    body: () => {
      const keys = { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: 'A'.repeat(22) }
      return { endpoint: `https://fcm.googleapis.com/fcm/send/${Math.random()}`, keys }
    },
  },
  unsubscribeFromPushes: {},
  unsubscribe: { query: () => ({ token: 'made-up' }), answer: '400 invalid' },
  changeNotifications: { body: () => ({ question: { mail: true } }) },
  changePassword: {
    signsInOrOut: true,
    body: () => ({ currentPassword: SELLER_PASSWORD, newPassword: 'another good password' }),
  },
  forgotPassword: { body: () => ({ email: 'nobody@example.com' }) },
  resetPassword: { body: () => ({ token: 'made-up', password: 'another good one' }), answer: '400 invalid' },
  confirmEmail: { body: () => ({ token: 'made-up' }), answer: '400 invalid' },
  sendConfirmation: {},
  restoreEmail: { body: () => ({ token: 'made-up' }), answer: '400 invalid' },
  deleteOwnAccount: {
    signsInOrOut: true,
    body: () => ({ password: SELLER_PASSWORD }),
  },
  endOtherSessions: { signsInOrOut: true },
  adminLogin: { signsInOrOut: true, body: () => ({ username: 'admin', password: ADMIN_PASSWORD }) },
  adminLinkLogin: { body: () => ({ token: 'made-up' }), answer: '400 invalid' },
  adminLogout: { signsInOrOut: true },
  changeAdminPassword: {
    signsInOrOut: true,
    body: () => ({ currentPassword: ADMIN_PASSWORD, newPassword: 'another good password' }),
  },
  endOtherAdminSessions: { signsInOrOut: true },
  startSecondFactor: { body: () => ({ password: ADMIN_PASSWORD }) },
  confirmSecondFactor: { body: () => ({ code: '123456' }), answer: '400 invalid' },
  renewAdminRecoveryCodes: {
    body: () => ({ password: ADMIN_PASSWORD, code: '123456' }),
    answer: '409 totp_off',
  },
  stopSecondFactor: { body: () => ({ code: '123456' }), answer: '409 totp_off' },
  startSellerSecondFactor: {
    body: () => ({ password: SELLER_PASSWORD }),
    // The address of the test's seller is not confirmed.
    answer: '403 email_unconfirmed',
  },
  confirmSellerSecondFactor: { body: () => ({ code: '123456' }), answer: '409 totp_off' },
  renewRecoveryCodes: {
    body: () => ({ password: SELLER_PASSWORD, code: '123456' }),
    answer: '409 totp_off',
  },
  stopSellerSecondFactor: {
    body: () => ({ password: SELLER_PASSWORD, code: '123456' }),
    answer: '409 totp_off',
  },
  passkeyOptions: {},
  passkeySignIn: signsInByPasskey,
  newPasskey: { body: () => ({ password: SELLER_PASSWORD }) },
  addPasskey: addsPasskey,
  removePasskey: { ...names('passkey'), body: (id) => ({ id, password: SELLER_PASSWORD }) },
  adminPasskeyOptions: {},
  adminPasskeySignIn: signsInByPasskey,
  newAdminPasskey: { body: () => ({ password: ADMIN_PASSWORD }) },
  addAdminPasskey: addsPasskey,
  removeAdminPasskey: { ...names('adminPasskey'), body: (id) => ({ id, password: ADMIN_PASSWORD }) },
  providerWebhook: {
    body: () => ({ id: 'WH-1', event_type: 'PAYMENT.PAYOUTSBATCH.SUCCESS' }),
    answer: '404 not_found',
  },
  reportBounce: { body: () => ({ recipient: 'x@example.com', kind: 'bounce' }), answer: '404 not_found' },
  startOidc: { answer: '404 not_found' },
  finishOidc: { answer: '404 not_found' },
  oidcCode: { body: () => ({ code: '123456' }), answer: '404 not_found' },
  inviteStaff: { body: () => ({ email: `x${Math.random()}@example.com`, role: 'auditor' }) },
  changeStaff: { ...names('administrator'), body: () => ({ disabled: true }) },
  revokeInvitation: names('invitation'),
  createApiToken: { body: () => ({ name: `${Math.random()}`, role: 'auditor', days: 1 }) },
  revokeApiToken: names('apiToken'),
  addWebhook: {
    // Private addresses are refused.
    ...{ body: () => ({ url: 'https://127.0.0.1/', events: ['payout.paid'] }), answer: '400 invalid' },
  },
  changeWebhook: { ...names('webhook'), body: () => ({ paused: true }) },
  deleteWebhook: names('webhook'),
  rotateWebhookSecret: names('webhook'),
  testWebhook: names('webhook'),
  webhookDeliveries: { ...names('webhook'), query: (endpointId) => ({ endpointId }) },
  resendDelivery: names('delivery'),
  saveBalanceConnector: {
    ...names('brand'),
    // Private addresses are refused.
    ...{ body: () => ({ url: 'https://127.0.0.1/' }), answer: '400 invalid', missing: '400 invalid' },
  },
  rotateConnectorSecret: names('connectedBrand'),
  deleteBalanceConnector: names('connectedBrand'),
  addPolicy: { body: () => policy },
  policyVersions: names('policy'),
  changePolicy: { ...names('policy'), body: () => ({ ...policy, version: 1 }) },
  setPolicyMode: { ...names('policy'), body: () => ({ mode: 'off', version: 1 }) },
  policyReport: names('policy'),
  previewPolicy: { body: () => policyTerms },
  stopPolicies: {},
  startPolicies: {},
  readInvitation: { body: () => ({ token: 'made-up' }), answer: '400 invalid' },
  acceptInvitation: {
    body: () => ({ token: 'made-up', username: 'nova', password: 'another good one' }),
    answer: '400 invalid',
  },
  addBrand: { body: () => ({ value: 'acme', ...brand }) },
  changeBrand: { ...names('brand'), body: () => ({ popular: true }) },
  submitGiftCard: {
    names: 'paymentMethod',
    parts: withParts((paymentMethodId) => ({ paymentMethodId })),
    answer: '201',
    missing: '400 invalid',
  },
  answer: { names: 'question', parts: withParts(() => ({ message: 'Here it is' })) },
  mySubmission: submission,
  myHistory: submission,
  expectedPayoutDays: {},
  myReveals: submission,
  draftKey: {},
  withdraw: submission,
  acceptOffer: { ...names('offer'), body: () => ({ amount: '74.40' }) },
  declineOffer: names('offer'),
  appeal: { ...names('rejected'), parts: withParts(() => ({ message: 'Please look again' })) },
  importPayoutResults: {
    parts: async () => [
      { name: 'file', filename: 'r.csv', type: 'text/csv', bytes: Buffer.from('Unique ID,Status\r\n') },
    ],
  },
  readStatement: { parts: async () => [bankStatement] },
  applyStatement: { parts: async () => [bankStatement, { name: 'decisions', value: '[]' }] },
  sameAccount: submission,
  changePayoutAccount: {
    ...names('returnedPayout'),
    body: () => ({ type: 'paypal', accountInfo: 's@pay.example', accountName: 'S' }),
  },
  myPhoto: photoOf,
  staffSubmission: submission,
  staffHistory: submission,
  moveSubmission: { ...submission, body: () => ({ status: 'processing' }) },
  undoMove: { ...submission, body: () => ({ version: 1 }), answer: '409 undo_too_late' },
  acknowledgeRisk: {
    ...submission,
    body: () => ({ code: 'unconfirmed_email', reason: 'I called the seller' }),
  },
  balanceChecks: submission,
  recordBalanceCheck: { ...submission, body: () => ({ amount: '80.00', source: 'phone' }) },
  // Its brand has none.
  askBalance: { ...submission, answer: '409 balance_not_askable' },
  reveal: submission,
  payout: names('payout'),
  payoutStop: {},
  revealPayout: names('payout'),
  markPayoutPaid: { ...names('payout'), body: (id) => ({ reference: id }) },
  returnPayout: { ...names('paidPayout'), body: () => ({ reason: 'The account is closed' }) },
  liftDeadAccount: { ...names('payout'), body: () => ({ reason: 'The bank was wrong' }) },
  remindToConfirm: names('payout'),
  recordNotSent: names('payout'),
  correctReference: { ...names('paidPayout'), body: (id) => ({ reference: id }) },
  takeOutPayout: { ...names('payout'), answer: '409 illegal_payout_move' },
  voidPayout: { ...names('payout'), body: () => ({ reason: 'The account is closed' }) },
  createBatch: {
    ...names('payout'),
    body: (id) => ({ paymentType: 'paypal', payoutIds: [id] }),
    missing: '409 payout_not_batchable',
  },
  payoutBatch: names('openBatch'),
  freezeBatch: names('openBatch'),
  releaseBatch: names('frozenBatch'),
  voidBatch: names('openBatch'),
  exportBatch: names('releasedBatch'),
  batchFile: names('exportedBatch'),
  confirmBatch: { ...names('exportedBatch'), body: () => ({}) },
  reportRejection: { ...names('exportedBatch'), body: () => ({ reason: 'Wrong company id' }) },
  confirmRejection: { ...names('exportedBatch'), answer: '409 illegal_batch_move' },
  withdrawRejection: { ...names('exportedBatch'), answer: '409 illegal_batch_move' },
  enterProviderBatch: {
    ...names('exportedBatch'),
    body: () => ({ providerBatchId: '5UXD2E8A7EBQJ' }),
    answer: '409 illegal_batch_move',
  },
  settleBatch: { ...names('exportedBatch'), body: () => ({ reference: 'ACH-1' }) },
  viewPhoto: photoOf,
  downloadPhoto: photoOf,
  addPaymentMethod: { body: () => ({ type: 'paypal', accountInfo: 's@pay.example', accountName: 'S' }) },
  setDefaultMethod: { ...names('paymentMethod'), missing: '400 invalid' },
  deletePaymentMethod: names('paymentMethod'),
  addReview: { names: 'paidTransaction', body: (transactionId) => ({ transactionId, rating: 5 }) },
  decideReview: { ...names('review'), body: () => ({ state: 'approved' }) },
  clearSubmissions: {},
  // Whether there is one depends on the calls before.
  claimNext: { body: () => ({ q: 'no such submission' }) },
  claimSubmission: submission,
  assignSubmission: { ...submission, body: () => ({ assignedTo: null }) },
  releaseSubmission: submission,
  duplicates: submission,
  sellerRecord: submission,
  staffSeller: { ...names('seller'), query: (id) => ({ id }) },
  changeSellerState: {
    ...names('seller'),
    query: (id) => ({ id }),
    body: () => ({ state: 'active', reason: 'All is well' }),
  },
  notes: { ...names('seller'), query: (userId) => ({ userId }) },
  addNote: { ...names('seller'), body: (userId) => ({ userId, text: 'A regular' }) },
  placeHold: { ...names('returnedPayout'), body: (submissionId) => ({ submissionId, reason: 'A dispute' }) },
  liftHold: { ...names('onHold'), body: (submissionId) => ({ submissionId }) },
  changeStock: { ...names('stock'), body: () => ({ state: 'listed', channel: 'eBay' }) },
  changeStocks: {
    ...names('stock'),
    body: (id) => ({ ids: [id], state: 'used' }),
    // Each card is refused independently.
    missing: '200',
  },
  importStock: { body: () => ({ csv: 'id,state\n' }) },
  writeOff: { ...names('badStock'), body: () => ({ amount: '1.00' }) },
  exportCodes: { ...names('stock'), body: (id) => ({ ids: [id], password: ADMIN_PASSWORD }) },
  codeExport: { ...names('codeExport'), body: () => ({ password: ADMIN_PASSWORD }) },
  startContact: {
    body: () => ({ firstName: 'V', lastName: 'V', email: 'v@example.com', subject: 'Hi', message }),
  },
  contactMessages: {
    ...names('contactThread'),
    query: (sessionId) => ({ sessionId }),
    malformed: '404 not_found',
  },
  sendContactMessage: {
    ...names('contactThread'),
    body: (sessionId) => ({ sessionId, message }),
    malformed: '404 not_found',
  },
  myChat: {},
  sendChatMessage: { body: () => ({ message }) },
  markMyChatRead: {},
  chatMessages: { ...names('seller'), query: (userId) => ({ userId }) },
  revealMessage: names('message'),
  replyToUser: { ...names('seller'), body: (userId) => ({ userId, message }) },
  replyToContact: {
    ...names('contactThread'),
    body: (sessionId) => ({ sessionId, message }),
    malformed: '404 not_found',
  },
  markThreadRead: { ...names('seller'), body: (userId) => ({ userId }) },
  changeThread: {
    ...names('contactThread'),
    body: (sessionId) => ({ sessionId, closed: true }),
    malformed: '404 not_found',
  },
  exportJournal: { query: () => ({ month: '2026-01' }) },
  taxDetails: {},
  saveTaxDetails: {
    body: () => ({ name: 'S', street: '1 A St', city: 'B', state: 'NY', zip: '10001', tin: '123456789' }),
    answer: '404 not_found',
  },
  exportTaxForms: { body: () => ({ year: 2026, password: ADMIN_PASSWORD }) },
  closeMonth: { body: () => ({ month: '2001-01' }) },
  exportSellerTotals: { query: () => ({ year: '2026' }) },
  chatCards: { ...names('seller'), query: (userId) => ({ userId }) },
  answerThread: { ...names('seller'), body: (userId) => ({ userId }) },
  saveReply: { body: () => ({ title: 'Hello', text: 'Hello!' }) },
  changeSavedReply: { ...names('savedReply'), body: () => ({ title: 'Hello', text: 'Hello!' }) },
  deleteSavedReply: names('savedReply'),
  report: { ...names('report'), malformed: '404 not_found' },
  sendTestMail: { body: () => ({ to: 'owner@example.com' }) },
  retryJob: { ...names('failedJob'), body: (id) => ({ id }) },
  discardJob: { ...names('failedJob'), body: (id) => ({ id }) },
  exportReport: { ...names('report'), malformed: '404 not_found' },
}

/** Routes that only read and take nothing need no entry in `calls`. */
export function callOf(name: RouteName): Call | undefined {
  const route: Route = routes[name]
  const bare = route.method === 'GET' && !route.params && !route.body
  return calls[name] ?? (bare ? {} : undefined)
}

/** The request of a call with this id. */
export async function requestFor(name: RouteName, { query, body, parts }: Call, id: string) {
  const route: Route = routes[name]
  const path = route.path.replace(/:\w+|\*/, encodeURIComponent(id))
  const url = query ? `${path}?${new URLSearchParams(query(id))}` : path
  if (parts) {
    const { payload, contentType } = encodeMultipart(await parts(id))
    return { method: route.method, url, payload, headers: { 'content-type': contentType } }
  }
  return { method: route.method, url, ...(body && { payload: body(id) }) }
}

/** What the contract promises callers with access. */
export function promisedAnswer(name: RouteName, { answer }: Call): string {
  const route: Route = routes[name]
  return answer ?? String(Math.max(200, ...Object.keys(route.answers).map(Number)))
}
