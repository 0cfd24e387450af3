import { randomUUID } from 'node:crypto'
import { newToken } from '#server/features/accounts/sessions/cookies.ts'
import { createAdministrator, listAdministrators } from '#server/features/accounts/staff/administrators.ts'
import { secretRow } from '#server/features/webhooks/actions.ts'
import {
  balanceConnectors,
  jobs,
  webhookDeliveries,
  webhookEndpoints,
} from '#server/platform/database/schema.ts'
import { newPhotoName } from '#server/platform/photos/storage.ts'
import { makeSigningSecret } from '#server/platform/webhooks/signing-secret.ts'
import type { TestApp } from '../app.ts'
import { contacted } from '../chat.ts'
import { addPasskey } from '../passkey.ts'
import { batchIn, duePayout, payoutReturned } from '../payouts.ts'
import { ADMIN_PASSWORD, SELLER_PASSWORD } from '../people.ts'
import { accepted, type Person } from '../person.ts'
import { policyTerms } from '../policies.ts'
import { submit } from '../submissions.ts'

/** A kind of object that calls refer to by id. */
interface SubjectRule {
  /** Makes one for its owner. Returns the id. */
  readonly make: (server: TestApp, owner: Person, staff: Person) => Promise<string>
  /** A valid id of an object that does not exist. */
  readonly missing: () => string
  /** Texts that are not ids of this kind. */
  readonly malformed: readonly string[]
}

const NO_UUIDS = [
  'nonsense',
  "1' or '1'='1",
  '\u0000',
  '../../etc/passwd',
  '01890000-0000-7000-8000-00000000000',
]
const uuid = { missing: () => randomUUID(), malformed: NO_UUIDS }

async function submission(owner: Person): Promise<{ id: string; photo: string; transaction: string }> {
  const { giftCard, transaction } = (await submit(owner)).json
  return { id: giftCard.id, photo: giftCard.images[0].split('/').at(-1), transaction: transaction.id }
}

const move = (staff: Person, id: string, body: object) =>
  staff.patch(`/api/admin/submissions/${id}/status`, body)

/** Inserted, because a host that a webhook may go to cannot be looked up here. */
async function newWebhook({ db, keys }: TestApp['context']): Promise<string> {
  const id = randomUUID()
  const { columns } = makeSigningSecret(keys, secretRow(id))
  const row = { id, url: 'https://hooks.example/', events: ['payout.paid' as const], paused: true }
  await db.insert(webhookEndpoints).values({ ...row, ...columns })
  return id
}

/** Of another seller, because the calls change the owners' email addresses. */
const newPayout = async (server: TestApp, staff: Person) => duePayout(server, await server.seller(), staff)
const newBatch =
  (state: Parameters<typeof batchIn>[0]): SubjectRule['make'] =>
  async (server, _owner, staff) =>
    batchIn(state, server, await server.seller(), staff)

export const subjects = {
  submission: { ...uuid, make: async (_server, owner) => (await submission(owner)).id },
  question: {
    ...uuid,
    async make(_server, owner, staff) {
      const { id } = await submission(owner)
      await move(staff, id, { status: 'under_review', reason: 'Could you send the back too?' })
      return id
    },
  },
  offer: {
    ...uuid,
    async make(_server, owner, staff) {
      const { id } = await submission(owner)
      await move(staff, id, { status: 'offered', amount: '74.40', reason: 'It holds $80' })
      return id
    },
  },
  rejected: {
    ...uuid,
    async make(_server, owner, staff) {
      const { id } = await submission(owner)
      await move(staff, id, { status: 'rejected', reason: 'Blurry' })
      return id
    },
  },
  returnedPayout: {
    ...uuid,
    async make(server, owner, staff) {
      const { id } = await submission(owner)
      await move(staff, id, { status: 'completed' })
      await payoutReturned(server, id)
      return id
    },
  },
  stock: {
    ...uuid,
    async make(_server, owner, staff) {
      const { id } = await submission(owner)
      await move(staff, id, { status: 'completed' })
      return id
    },
  },
  badStock: {
    ...uuid,
    async make(_server, owner, staff) {
      const { id } = await submission(owner)
      await move(staff, id, { status: 'completed' })
      await staff.patch(`/api/admin/inventory/${id}`, { state: 'bad' })
      return id
    },
  },
  codeExport: {
    ...uuid,
    async make(_server, owner, staff) {
      const { id } = await submission(owner)
      await move(staff, id, { status: 'completed' })
      const body = { ids: [id], password: ADMIN_PASSWORD }
      const { headers } = await staff.post('/api/admin/inventory/export', body)
      return String(headers['content-location']).split('/').at(-1) ?? ''
    },
  },
  onHold: {
    ...uuid,
    async make(_server, owner, staff) {
      const { id } = await submission(owner)
      await staff.post('/api/admin/holds', { submissionId: id, reason: 'A dispute' })
      return id
    },
  },
  paidTransaction: {
    ...uuid,
    async make(_server, owner, staff) {
      const { id, transaction } = await submission(owner)
      await move(staff, id, { status: 'completed' })
      return transaction
    },
  },
  review: {
    ...uuid,
    async make(_server, owner, staff) {
      const { id, transaction } = await submission(owner)
      await move(staff, id, { status: 'completed' })
      const sent = { transactionId: transaction, rating: 5, comment: 'Quick' }
      return (await owner.post('/api/reviews', sent)).json.id
    },
  },
  payout: { ...uuid, make: async (server, _owner, staff) => (await newPayout(server, staff)).id },
  paidPayout: {
    ...uuid,
    async make(server, _owner, staff) {
      const { id } = await newPayout(server, staff)
      await staff.post(`/api/admin/payouts/${id}/paid`)
      return id
    },
  },
  openBatch: { ...uuid, make: newBatch('open') },
  frozenBatch: { ...uuid, make: newBatch('frozen') },
  releasedBatch: { ...uuid, make: newBatch('released') },
  exportedBatch: { ...uuid, make: newBatch('exported') },
  photo: {
    make: async (_server, owner) => (await submission(owner)).photo,
    missing: () => `${newPhotoName()}.jpg`,
    malformed: ['nonsense', 'x.jpg', '../keys', `${newPhotoName()}.png`, '\u0000.jpg'],
  },
  paymentMethod: {
    ...uuid,
    async make(_server, owner) {
      const method = { type: 'paypal', accountInfo: 'sally@pay.example', accountName: 'Sally' }
      return (await owner.post('/api/payment-methods', method)).json.id
    },
  },
  passkey: {
    ...uuid,
    make: async (_server, owner) => (await addPasskey(owner, 'seller', SELLER_PASSWORD)).answer.json.id,
  },
  adminPasskey: {
    ...uuid,
    make: async (_server, _owner, staff) => (await addPasskey(staff, 'staff', ADMIN_PASSWORD)).answer.json.id,
  },
  seller: { ...uuid, make: async (_server, owner) => owner.id },
  contactThread: {
    make: async (server) => (await contacted(server)).sessionId,
    missing: newToken,
    malformed: ['nonsense', "1' or '1'='1"],
  },
  message: {
    ...uuid,
    make: async (_server, owner) => (await owner.post('/api/chat/messages', { message: 'Hello' })).json.id,
  },
  savedReply: {
    ...uuid,
    make: async (_server, _owner, staff) =>
      (await staff.post('/api/admin/saved-replies', { title: 'Hello', text: 'Hello!' })).json.id,
  },
  administrator: {
    ...uuid,
    async make({ context }) {
      const username = `ana${randomUUID().slice(0, 8)}`
      await createAdministrator(context, username, { password: ADMIN_PASSWORD })
      const all = await listAdministrators(context)
      return all.find((one) => one.username === username)?.id ?? ''
    },
  },
  invitation: {
    ...uuid,
    make: async (_server, _owner, staff) =>
      (await staff.post('/api/admin/staff', { email: `${randomUUID()}@example.com`, role: 'auditor' })).json
        .id,
  },
  apiToken: {
    ...uuid,
    make: async (_server, _owner, staff) =>
      (await staff.post('/api/admin/tokens', { name: randomUUID(), role: 'auditor', days: 1 })).json.id,
  },
  webhook: { ...uuid, make: async ({ context }) => newWebhook(context) },
  delivery: {
    ...uuid,
    async make({ context }) {
      const id = randomUUID()
      const delivery = { id, eventKey: id, event: 'payout.paid', body: '{}' }
      await context.db
        .insert(webhookDeliveries)
        .values({ ...delivery, endpointId: await newWebhook(context) })
      return id
    },
  },
  brand: {
    make: async () => 'amazon',
    missing: () => 'no_such_brand',
    malformed: ['x'.repeat(60)],
  },
  connectedBrand: {
    async make({ context }) {
      const id = randomUUID()
      const connected = await context.db.$count(balanceConnectors)
      const brand = (await context.catalog.current()).brands[connected]?.value ?? ''
      const { columns } = makeSigningSecret(context.keys, { table: 'balance_connectors', row: id })
      const row = { id, brand, url: 'https://balances.example/', paused: true, ...columns }
      await context.db.insert(balanceConnectors).values(row)
      return brand
    },
    missing: () => 'no_such_brand',
    malformed: ['x'.repeat(60)],
  },
  policy: {
    ...uuid,
    async make(_server, _owner, staff) {
      return (await accepted(staff.post('/api/admin/policies', { ...policyTerms, mode: 'shadow' }))).json.id
    },
  },
  failedJob: {
    ...uuid,
    async make({ db }) {
      const id = randomUUID()
      const job = {
        kind: 'passwordResetMail' as const,
        payload: { email: 'x@example.com', because: 'asked' },
      }
      await db
        .insert(jobs)
        .values({ id, key: id, ...job, attempts: 36, failedAt: new Date(), lastError: 'Error: 550 no' })
      return id
    },
  },
  report: {
    make: async () => 'volume',
    missing: () => 'no_such_report',
    malformed: ['../volume', 'constructor'],
  },
} as const satisfies Record<string, SubjectRule>

export type Subject = keyof typeof subjects
