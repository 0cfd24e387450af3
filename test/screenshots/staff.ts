import type { Page } from '@playwright/test'
import { ADMIN_PASSWORD } from '../people.ts'
import { answering, failing, waiting } from './calls.ts'
import { press } from './press.ts'
import type { Scene } from './scene.ts'
import type { Shot } from './shots.ts'

const SUBMISSIONS = '**/api/admin/submissions?*'
const THREADS = '**/api/admin/chat/threads*'

const pendingCard = ({ pendingCard }: Scene) => `/admin?id=${pendingCard}`

async function moveOpen(page: Page, status: string, reason?: string): Promise<void> {
  const id = new URL(page.url()).searchParams.get('id')
  await page.request.patch(`/api/admin/submissions/${id}/status`, { data: { status, reason } })
}

/** Approves after a colleague has already moved the submission, without a push about it. */
async function loseRace(page: Page): Promise<void> {
  await moveOpen(page, 'pending')
  await page.reload()
  const approve = page.getByRole('button', { name: 'Start Processing' })
  await approve.waitFor()
  await page.waitForLoadState('networkidle')
  await moveOpen(page, 'under_review', 'Is this the front of the card?')
  await approve.click()
  await page.getByRole('region', { name: 'Submission', exact: true }).getByRole('alert').waitFor()
}

async function openThread(page: Page, name: string): Promise<void> {
  await page.getByRole('region', { name: 'Conversations' }).getByRole('button', { name }).first().click()
  await page.getByRole('log').getByRole('listitem').first().waitFor()
}

async function approveByKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start Processing' }).waitFor()
  await page.keyboard.press('a')
  await page.getByRole('dialog').waitFor()
}

async function ask(page: Page): Promise<void> {
  const more = page.getByRole('button', { name: 'More', exact: true })
  const name = 'Request Information'
  await page.getByRole('button', { name }).or(more).first().waitFor()
  if (await more.isVisible()) {
    await more.click()
    await page.getByRole('menuitem', { name }).click()
  } else await press(name)(page)
}

/** One policy that is on and one in shadow mode, with what they did. */
async function pressClearAll(page: Page): Promise<void> {
  await press('List actions')(page)
  await page.getByRole('menuitem', { name: 'Clear All' }).click()
}

async function withPolicies(page: Page): Promise<void> {
  const at = new Date().toISOString()
  const terms = {
    ...{
      maxFaceValue: '100.00',
      minAccountDays: 90,
      minCompletedSales: 3,
      waitMinutes: 0,
      samplePercent: 10,
    },
    ...{ sellerLimit: '300.00', shopLimit: '2000.00', paysAtOnce: true, writtenBy: 'mara', at },
  }
  const on = {
    ...terms,
    id: '1',
    version: 3,
    mode: 'on',
    name: 'Small cards of regular sellers',
    by: 'admin',
  }
  const shadow = { ...terms, id: '2', version: 1, mode: 'shadow', name: 'Larger cards', by: 'mara' }
  const today = { approvedToday: '372.00', shopToday: '372.00' }
  const brands = ['amazon', 'apple', 'target']
  const week = { passed: 41, approved: 36, same: 38, different: 2, open: 1, cost: '93.00', people: 112 }
  const weeks = ['2026-11-23', '2026-11-16'].map((monday) => ({ ...week, week: monday }))
  const stopped = [
    { code: 'completed_sales', cards: 402 },
    { code: 'face_value', cards: 161 },
    { code: 'no_risk', cards: 58 },
    { code: 'seller_limit', cards: 12 },
  ]
  const answers = {
    '': {
      stoppedAt: null,
      policies: [
        { ...on, ...today, brands },
        { ...shadow, ...today, approvedToday: '0.00', brands: ['steam'] },
      ],
    },
    '/1/versions': [
      { ...on, brands },
      { ...on, brands, version: 2, mode: 'shadow', by: 'mara' },
      { ...on, brands, version: 1, mode: 'off', by: 'mara', maxFaceValue: '50.00' },
    ],
    '/1/report': weeks,
    '/preview': { cards: 1000, passed: 367, price: '24116.00', stopped },
  }
  for (const [path, json] of Object.entries(answers)) {
    await page.route(`**/api/admin/policies${path}`, (route) => route.fulfill({ json }))
  }
}

/** The screenshots send nothing to other programs. */
async function withWebhooks(page: Page): Promise<void> {
  const now = Date.now()
  const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString()
  const endpoint = (id: string, url: string) => ({
    id,
    url,
    events: ['payout.paid'],
    paused: false,
    createdAt: at(-9),
  })
  await page.route('**/api/admin/webhooks', (route) =>
    route.fulfill({
      json: [
        {
          ...endpoint('1', 'https://books.example.com/hooks/unspent'),
          lastDelivered: at(-2),
          lastFailed: null,
        },
        {
          ...endpoint('2', 'https://chat.example.com/services/T000/B000'),
          lastDelivered: null,
          lastFailed: at(-1),
        },
      ],
    }),
  )
  const delivery = {
    ...{ event: 'payout.paid', attempts: 1, responseCode: 204, error: null, durationMs: 87 },
    requestId: 'b3f1c0de-7a52-4c1e-9d0f-5a2e8c7714be',
  }
  const times = { createdAt: at(-3), attemptedAt: at(-2), nextAttemptAt: null }
  await page.route('**/api/admin/webhook-deliveries?*', (route) =>
    route.fulfill({
      headers: { 'x-total-count': '3' },
      json: [
        {
          id: '1',
          ...delivery,
          ...times,
          responseCode: null,
          error: 'timeout',
          state: 'waiting',
          nextAttemptAt: at(5),
        },
        {
          id: '2',
          ...delivery,
          ...times,
          responseCode: 503,
          attempts: 10,
          durationMs: 1310,
          state: 'failed',
        },
        { id: '3', ...delivery, ...times, state: 'delivered' },
      ],
    }),
  )
}

async function openWebhook(page: Page): Promise<void> {
  await page.getByRole('link', { name: /books/ }).click()
  await page.getByText('Delivered').waitFor()
}

async function createToken(page: Page): Promise<void> {
  await press('Create token')(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(`Export ${Date.now() % 10_000}`)
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await dialog.getByText('It is not shown again').waitFor()
}

/** On narrow screens the list is a separate view. */
const inFirst = (act: (page: Page) => Promise<void>) => async (page: Page) => {
  const list = page.getByRole('region', { name: 'Submissions', exact: true })
  await list.getByRole('listitem').getByRole('link').first().click()
  await act(page)
}

/** The operator has not set the contact details yet. */
async function unsetContacts(page: Page): Promise<void> {
  const json = ['SUPPORT_EMAIL', 'SUPPORT_PHONE', 'MAIL_REPLY_TO']
  await page.route('**/api/admin/unset-contacts', (route) => route.fulfill({ json }))
}

const someReviews = [
  'Paid before I had finished my coffee.',
  'Slow, but they explained every step. '.repeat(12),
].map((comment, index) => ({
  ...{ id: `019abc00-0000-7000-8000-00000000002${index}`, rating: 5 - 2 * index, comment, locale: 'en' },
  ...{
    firstName: 'Grace',
    state: 'waiting',
    brandName: 'Amazon',
    username: 'grace',
    createdAt: '2026-11-22T10:00:00Z',
  },
  ...{ giftCardId: '019abc00-0000-7000-8000-000000000001', sellerId: '019abc00-0000-7000-8000-000000000002' },
}))

const someHolds = ['The bank asked about this seller', 'A buyer disputes the card. '.repeat(12)].map(
  (reason, index) => ({
    ...{ id: `019abc00-0000-7000-8000-00000000003${index}`, reason, username: 'grace' },
    ...(index === 0
      ? { userId: '019abc00-0000-7000-8000-000000000002', submissionId: null }
      : { userId: null, submissionId: '019abc00-0000-7000-8000-000000000001' }),
    ...{ placedBy: 'maya', placedAt: '2026-11-22T10:00:00Z', liftedBy: null, liftedAt: null },
  }),
)

const BATCH = '019abc00-0000-7000-8000-000000000012'
const BATCH_AT = '2026-11-18T15:00:00.000Z'

/** A released batch of which nothing was paid, as the API answers it. */
const releasedBatch = {
  ...{ id: BATCH, state: 'released', isLate: false, expectedOn: null, onePerSeller: false },
  ...{ count: 48, paymentCount: 48, total: '4128.50', openTotal: '4128.50', paidCount: 0, returnedCount: 0 },
  ...{ createdBy: 'petra', frozenBy: 'petra', releasedBy: 'maya', exportedBy: null },
  ...{ createdAt: BATCH_AT, frozenAt: BATCH_AT, releasedAt: BATCH_AT, exportedAt: null, confirmedAt: null },
  ...{ approvedBy: null, approvedAt: null, needsTwoApprovals: false, twoApprovalsAbove: null },
  ...{ needsOtherToFreeze: false, payers: [], releasers: [], problemCount: 0, limitProblem: null },
  ...{ releasedAlone: false, cutoff: null, sameDay: false, sameDayCutoff: null, paidTwice: [] },
  ...{ rejectionReportedBy: null, rejectionReportedAt: null, rejectionReason: null },
  ...{ rejectedBy: null, rejectedAt: null, settledBy: null, settledAt: null, settledOn: null },
  ...{ settlementReference: null, settlementFee: '0.00', fileSha256: '2ec8213ed0730792'.repeat(4) },
}

/** A batch that is late to be settled, and a frozen one. */
async function someBatches(page: Page): Promise<void> {
  const late = {
    ...{ ...releasedBatch, number: 12, state: 'exported', file: 'nacha', isLate: true },
    ...{ paymentType: 'bank_transfer', paymentTypes: ['bank_transfer'], expectedOn: '2026-11-19' },
    ...{ exportedBy: 'petra', exportedAt: BATCH_AT },
  }
  const frozen = {
    ...{ ...late, id: BATCH.replace('12', '13'), number: 13, state: 'frozen', file: 'paypal', isLate: false },
    ...{
      paymentType: 'paypal',
      paymentTypes: ['paypal', 'venmo'],
      count: 5,
      total: '372.00',
      openTotal: '372.00',
    },
  }
  const automatic = {
    ...{
      ...frozen,
      id: BATCH.replace('12', '14'),
      number: 14,
      state: 'settled',
      paidCount: 5,
      sentBy: 'paypal',
    },
    ...{
      createdBy: null,
      frozenBy: null,
      releasedBy: null,
      policies: [{ name: 'Small Amazon cards', version: 3 }],
    },
    ...{
      providerState: 'success',
      providerProblem: null,
      providerBatchId: '5UXD2E8A7EBQJ',
      providerFee: '1.25',
    },
  }
  const headers = { 'x-total-count': '3' }
  await page.route('**/api/admin/payout-batches?*', (route) =>
    route.fulfill({ json: [late, frozen, automatic], headers }),
  )
  await page.route(`**/api/admin/payout-batches/${automatic.id}`, (route) =>
    route.fulfill({ json: automatic }),
  )
  await page.route(`**/api/admin/payout-batches/${BATCH}`, (route) => route.fulfill({ json: late }))
}

/** Payouts that policies pay at once, some left to a person, while the money at PayPal runs out. */
async function automaticPayouts(page: Page): Promise<void> {
  const cash = {
    ...{ provider: 'paypal', balance: '120.50', balanceAt: '2026-11-18T15:00:00.000Z', toSend: '465.00' },
    ...{ problem: 'short', today: { limit: '2000.00', sent: '1860.00', left: '140.00' } },
  }
  await page.route('**/api/admin/payouts/provider', (route) => route.fulfill({ json: cash }))
  const states = ['no_answer', 'asking', 'payout_limit', 'second_person_needed']
  await page.route('**/api/admin/payouts?*', async (route) => {
    const response = await route.fetch()
    const given = await response.json()
    const rows = given.slice(0, 1).flatMap((row: { id: string; number: number }) =>
      states.map((automatic, index) => {
        return {
          ...row,
          id: row.id.slice(0, -1) + index,
          number: row.number + index,
          automatic,
          problem: null,
        }
      }),
    )
    await route.fulfill({ response, json: rows })
  })
  await page.route(/payouts\/[0-9a-f-]{36}$/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({
      response,
      json: { ...(await response.json()), automatic: 'no_answer', problem: null },
    })
  })
}

/** A batch of which PayPal's answer got lost. */
async function batchAtPaypal(page: Page, more: Record<string, unknown> = {}): Promise<void> {
  await someBatches(page)
  await page.route(`**/api/admin/payout-batches/${BATCH}`, async (route) => {
    const answer = {
      ...{
        ...releasedBatch,
        number: 14,
        file: 'paypal',
        paymentType: null,
        paymentTypes: ['paypal', 'venmo'],
      },
      ...{ sentBy: 'paypal', providerFee: '0.00', providerState: 'sending', providerProblem: 'answer_lost' },
      ...{ providerDetail: 'TimeoutError', providerBatchId: null, providerNextAt: BATCH_AT, ...more },
    }
    await route.fulfill({ json: answer })
  })
}

const lostBatch = { providerProblem: 'too_old', providerDetail: null, providerNextAt: null }
const missing = {
  ...{ rejectionReportedBy: 'petra', rejectionReportedAt: '2026-11-19T15:00:00.000Z' },
  rejectionReason: 'Neither the batch nor a payment of it is in the activity of October and November',
}
const abandoned = {
  ...{ ...missing, state: 'rejected', rejectedBy: 'maya', rejectedAt: '2026-11-20T15:00:00.000Z' },
  providerProblem: null,
}
const paidLate = {
  ...{
    providerState: 'success',
    providerProblem: 'paid_late',
    providerBatchId: '5UXD2E8A7EBQJ',
    providerFee: '12.00',
  },
  paidTwice: ['019abc00-0000-7000-8000-000000000001', '019abc00-0000-7000-8000-00000000a002'],
}

/** What the server reads in a bank statement. */
async function someStatement(page: Page): Promise<void> {
  const batches = [12, 14, 15].map((number) => ({
    ...{ id: BATCH.replace('12', String(number)), number, total: '93.00', exportedOn: '2026-11-18' },
  }))
  const ids = batches.map(({ id }) => id)
  const long = 'OFFICE RENT AND SOMETHING VERY LONG FROM A BANK THAT WRITES ALL IT KNOWS'
  const given = [
    {
      amount: '4128.50',
      text: 'UNSPENT PAYOUT PPD ID: ••••',
      suggestion: 'batch',
      batchIds: ids.slice(0, 1),
    },
    { amount: '4.95', text: 'ACH ORIGINATION FEE', suggestion: 'fee' },
    { amount: '93.00', text: 'UNSPENT PAYOUT', suggestion: 'choose', batchIds: ids.slice(1) },
    { amount: '12.00', text: 'MONTHLY SERVICE CHARGE', suggestion: 'fee', isFeeBooked: true },
    { amount: '279.00', text: 'UNSPENT PAYOUT', suggestion: null, isApplied: true },
    { amount: '1850.00', text: long, suggestion: null },
  ]
  const usual = { day: '2026-11-20', batchIds: [], isApplied: false, isFeeBooked: false }
  const lines = given.map((line, index) => ({ ...usual, line: index + 2, ...line }))
  const json = { format: 'csv', accounts: ['6789'], receivedCount: 3, lines, batches }
  await page.route('**/api/admin/bank-statements/read', (route) => route.fulfill({ json }))
}

async function provider(page: Page): Promise<void> {
  await page.route('**/api/admin/oidc', (route) => route.fulfill({ json: { name: 'Acme' } }))
}

/** A backup was restored. */
async function stoppedPayouts(page: Page): Promise<void> {
  const json = { stoppedAt: '2026-11-21T14:00:00.000Z', backupMadeAt: '2026-11-20T03:00:00.000Z' }
  await page.route('**/api/admin/payouts/stop', (route) => route.fulfill({ json }))
}

/** A shop without a finding, or with failed jobs. */
async function troubled(page: Page): Promise<void> {
  await page.route('**/api/admin/system', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    const job = {
      kind: 'statusMail',
      error: '550',
      attempts: 36,
      failedAt: new Date().toISOString(),
      discardable: true,
    }
    const newest = [
      { id: '1', ...job },
      { id: '2', ...job, kind: 'confirmBatch', error: 'database', discardable: false },
    ]
    const [first] = json.findings
    const broken = {
      ...first,
      code: 'jobs_given_up',
      level: 'broken',
      title: 'Some mails and other jobs have failed for good',
    }
    const findings = [
      { ...broken, action: 'Find the cause, then retry or discard each one below.', section: 'Mail' },
    ]
    await route.fulfill({ json: { ...json, findings, jobs: { total: 2, newest } } })
  })
}

const silentChannel = (page: Page) => page.routeWebSocket(/\/ws$/, () => undefined)

async function bounced(page: Page): Promise<void> {
  await page.route('**/api/admin/seller?*', async (route) => {
    const response = await route.fetch()
    await route.fulfill({
      json: {
        ...(await response.json()),
        bounce: { kind: 'bounce', reason: 'mailbox full', at: '2026-11-22T10:00:00.000Z' },
      },
    })
  })
}

export const staffShots: readonly Shot[] = [
  { name: 'admin-login', as: 'visitor', path: '/admin/login' },
  { name: 'admin-login-provider', as: 'visitor', path: '/admin/login?oidc=uninvited', before: provider },
  { name: 'admin-desk', as: 'staff', path: pendingCard },
  { name: 'admin-desk-answered', as: 'staff', path: ({ answeredCard }) => `/admin?id=${answeredCard}` },
  { name: 'admin-desk-confirm', as: 'staff', path: '/admin?status=pending', act: inFirst(approveByKey) },
  { name: 'admin-desk-unset', as: 'staff', path: pendingCard, before: unsetContacts },
  { name: 'admin-desk-loading', as: 'staff', path: '/admin', before: waiting(SUBMISSIONS) },
  { name: 'admin-desk-failing', as: 'staff', path: '/admin', before: failing(SUBMISSIONS) },
  { name: 'admin-desk-empty', as: 'staff', path: '/admin?q=nobody%20at%20all' },
  { name: 'admin-desk-gone', as: 'staff', path: '/admin?id=01890000-0000-7000-8000-000000000000' },
  { name: 'admin-desk-long', as: 'staff', path: '/admin?q=pneumonoultramicroscopic' },
  { name: 'admin-desk-rejected', as: 'staff', path: '/admin?status=rejected' },
  { name: 'admin-desk-lost-race', as: 'staff', path: pendingCard, before: silentChannel, act: loseRace },
  { name: 'admin-desk-reveal', as: 'staff', path: '/admin?status=completed', act: inFirst(press(/^Reveal/)) },
  {
    name: 'admin-desk-photo',
    as: 'staff',
    path: '/admin?status=completed',
    act: inFirst(press('Open photo 1')),
  },
  { name: 'admin-desk-reject', as: 'staff', path: '/admin?status=pending', act: inFirst(press(/^Reject/)) },
  { name: 'admin-desk-ask', as: 'staff', path: '/admin?status=pending', act: inFirst(ask) },
  { name: 'admin-desk-clear', as: 'staff', path: '/admin', act: pressClearAll },
  { name: 'admin-desk-keys', as: 'staff', path: '/admin', act: (page) => page.keyboard.press('?') },
  { name: 'admin-bell', as: 'staff', path: '/admin', act: press(/^Notifications/) },
  { name: 'admin-staff', as: 'staff', path: '/admin/staff' },
  { name: 'admin-staff-invite', as: 'staff', path: '/admin/staff', act: press('Invite') },
  { name: 'admin-staff-change', as: 'staff', path: '/admin/staff', act: press('Change admin') },
  { name: 'admin-system', as: 'staff', path: '/admin/system' },
  { name: 'admin-system-troubled', as: 'staff', path: '/admin/system', before: troubled },
  { name: 'admin-system-test-mail', as: 'staff', path: '/admin/system', act: press('Send a test email') },
  { name: 'admin-tokens-create', as: 'staff', path: '/admin/tokens', act: press('Create token') },
  { name: 'admin-tokens-created', as: 'staff', path: '/admin/tokens', act: createToken },
  { name: 'admin-tokens-list', as: 'staff', path: '/admin/tokens' },
  { name: 'admin-policies-list', as: 'staff', path: '/admin/policies', before: withPolicies },
  { name: 'admin-policies-none', as: 'staff', path: '/admin/policies' },
  { name: 'admin-policies-page', as: 'staff', path: '/admin/policies?id=1', before: withPolicies },
  { name: 'admin-policies-new', as: 'staff', path: '/admin/policies?id=new', before: withPolicies },
  { name: 'admin-webhooks-add', as: 'staff', path: '/admin/webhooks', act: press('Add webhook') },
  {
    name: 'admin-webhooks-page',
    as: 'staff',
    path: '/admin/webhooks',
    before: withWebhooks,
    act: openWebhook,
  },
  { name: 'admin-webhooks-list', as: 'staff', path: '/admin/webhooks', before: withWebhooks },
  { name: 'admin-users', as: 'staff', path: '/admin?tab=users' },
  { name: 'admin-users-empty', as: 'staff', path: '/admin?tab=users&q=nobody' },
  {
    name: 'admin-users-failing',
    as: 'staff',
    path: '/admin?tab=users',
    before: failing('**/api/admin/users*'),
  },
  { name: 'admin-transactions', as: 'staff', path: '/admin?tab=transactions' },
  {
    name: 'admin-transactions-loading',
    as: 'staff',
    path: '/admin?tab=transactions',
    before: waiting('**/api/admin/transactions*'),
  },
  { name: 'admin-tab-chat', as: 'staff', path: '/admin?tab=chat' },
  { name: 'admin-chat', as: 'staff', path: '/admin/chat' },
  { name: 'admin-chat-long', as: 'staff', path: '/admin/chat', act: (page) => openThread(page, 'sally') },
  { name: 'admin-chat-contact', as: 'staff', path: '/admin/chat', act: (page) => openThread(page, 'Tom') },
  { name: 'admin-chat-loading', as: 'staff', path: '/admin/chat', before: waiting(THREADS) },
  { name: 'admin-chat-failing', as: 'staff', path: '/admin/chat', before: failing(THREADS) },
  {
    name: 'admin-chat-saved',
    as: 'staff',
    path: '/admin/chat',
    act: async (page) => {
      await openThread(page, 'Tom')
      await press('Saved replies')(page)
    },
  },
  { name: 'admin-seller', as: 'staff', path: ({ sellerId }) => `/admin/seller?id=${sellerId}` },
  {
    name: 'admin-seller-bounced',
    as: 'staff',
    path: ({ sellerId }) => `/admin/seller?id=${sellerId}`,
    before: bounced,
  },
  { name: 'admin-payouts', as: 'staff', path: '/admin/payouts' },
  {
    name: 'admin-autopay-due',
    as: 'staff',
    path: '/admin/payouts',
    before: automaticPayouts,
    act: async (page) => page.getByText('Balance not confirmed').first().waitFor({ state: 'attached' }),
  },
  {
    name: 'admin-autopay-batch',
    as: 'staff',
    path: `/admin/payouts?batch=${BATCH.replace('12', '14')}`,
    before: someBatches,
  },
  {
    name: 'admin-autopay-batches',
    as: 'staff',
    path: '/admin/payouts?view=batches&unfinished=on',
    before: someBatches,
  },
  {
    name: 'admin-batch-paypal',
    as: 'staff',
    path: `/admin/payouts?batch=${BATCH}`,
    before: batchAtPaypal,
  },
  {
    name: 'admin-batch-lost',
    as: 'staff',
    path: `/admin/payouts?batch=${BATCH}`,
    before: (page) => batchAtPaypal(page, lostBatch),
  },
  {
    name: 'admin-batch-lost-reported',
    as: 'staff',
    path: `/admin/payouts?batch=${BATCH}`,
    before: (page) => batchAtPaypal(page, { ...lostBatch, ...missing, payers: ['maya', 'petra', 'quinn'] }),
  },
  {
    name: 'admin-batch-paid-late',
    as: 'staff',
    path: `/admin/payouts?batch=${BATCH}`,
    before: (page) => batchAtPaypal(page, { ...lostBatch, ...abandoned, ...paidLate }),
  },
  {
    name: 'admin-batches',
    as: 'staff',
    path: '/admin/payouts?view=batches&unfinished=on',
    before: someBatches,
  },
  {
    name: 'admin-statement',
    as: 'staff',
    path: '/admin/payouts?view=batches',
    before: someStatement,
    act: async (page) => {
      await press('Import statement')(page)
      const file = { name: 'statement.csv', mimeType: 'text/csv', buffer: Buffer.from('Date') }
      await page.getByLabel('File', { exact: true }).setInputFiles(file)
      await press('Show 1 line of other business')(page)
    },
  },
  { name: 'admin-batch-exported', as: 'staff', path: `/admin/payouts?batch=${BATCH}`, before: someBatches },
  {
    name: 'admin-batch-settle',
    as: 'staff',
    path: `/admin/payouts?batch=${BATCH}`,
    before: someBatches,
    act: press('Mark as settled'),
  },
  { name: 'admin-payouts-stopped', as: 'staff', path: '/admin/payouts', before: stoppedPayouts },
  { name: 'admin-inventory', as: 'staff', path: '/admin/inventory' },
  { name: 'admin-brands', as: 'staff', path: '/admin/brands' },
  { name: 'admin-brands-edit', as: 'staff', path: '/admin/brands?q=etsy', act: press('Edit Etsy') },
  {
    name: 'admin-reviews',
    as: 'staff',
    path: '/admin/reviews',
    before: answering('**/api/admin/reviews*', someReviews),
  },
  {
    name: 'admin-holds',
    as: 'staff',
    path: '/admin/holds',
    before: answering('**/api/admin/holds*', someHolds),
  },
  { name: 'admin-audit', as: 'staff', path: '/admin/audit' },
  { name: 'admin-reports', as: 'staff', path: '/admin/reports' },
  {
    name: 'admin-security',
    as: 'staff',
    path: '/admin/security',
    act: async (page) => {
      await press('Set up second factor')(page)
      await page.getByLabel('Your password').fill(ADMIN_PASSWORD)
      await press('Continue')(page)
    },
  },
]
