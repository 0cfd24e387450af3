import { createHash } from 'node:crypto'
import type pg from 'pg'
import { sealFile } from '#server/features/payouts/batch-file.ts'
import { openSecrets } from '#server/features/submissions/secrets.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { type Finding, median, ms, times } from './findings.ts'
import { cpuOf, cpuOfFamily } from './measure/cpu.ts'
import type { Stage } from './stage.ts'

/** The most that an ACH file may have. */
const PAYOUTS = 10_000
const ROUNDS = 3

/** Settings without which no ACH file is made. */
export const NACHA = {
  NACHA_DESTINATION: '021000021',
  NACHA_DESTINATION_NAME: 'FIRST BANK',
  NACHA_ORIGIN: '1234567890',
  NACHA_COMPANY_NAME: 'UNSPENT',
  NACHA_COMPANY_ID: '1234567890',
}

/** Freezes, releases, exports and downloads a batch of bank transfers, compared with the bare statements and the bare file. */
export async function measurePayouts(stage: Stage): Promise<Finding> {
  const rounds: { count: number; product: number; bare: number }[] = []
  while (rounds.length < ROUNDS) {
    const product = await onNewBatch(stage, (id) => exportBatch(stage, id), stage.product.server)
    const bare = await onNewBatch(stage, (id) => exportBare(stage, id), process.pid)
    rounds.push({ count: product.count, product: product.cpu, bare: bare.cpu })
  }
  const ratio = median(rounds.map(({ product, bare }) => product / bare))
  const middle = (of: 'product' | 'bare') => median(rounds.map((round) => round[of]))
  return {
    what: `freeze and export ${rounds[0]?.count.toLocaleString('en')} payouts, CPU`,
    measured: ms(middle('product')),
    limit: `${ms(middle('bare'))} bare statements and file: ${times(ratio)}`,
    goal: '≤ 2×',
    reached: ratio <= 2,
  }
}

/** @returns the CPU milliseconds of `work`, in a process and in PostgreSQL */
async function onNewBatch(stage: Stage, work: (id: string) => Promise<void>, pid: number) {
  const { pool, product } = stage
  await makeDue(stage)
  const { id, count } = await ask(stage, 'POST', '', { paymentType: 'bank_transfer' })
  const cpu = () => cpuOf(pid) + cpuOfFamily(product.postgres)
  const before = cpu()
  await work(id)
  const spent = cpu() - before
  // Sending the emails would disturb what is measured next.
  await pool.query(`DELETE FROM jobs WHERE kind = 'payoutMail' AND done_at IS NULL`)
  return { count, cpu: spent }
}

/** Makes payouts that were paid by bank transfer due again, and confirms the addresses of their sellers. */
async function makeDue({ pool }: Stage): Promise<void> {
  await pool.query('UPDATE users SET verified = true WHERE NOT verified')
  await pool.query(
    `UPDATE payouts SET state = 'due', batch_id = NULL, batch_position = NULL, by_hand = false, batchable_at = due_at,
       sent_at = NULL, paid_at = NULL, reference = NULL, reverted_sent_at = NULL, reverted_reference = NULL, not_sent_at = NULL
     WHERE id IN (
       SELECT payouts.id FROM payouts JOIN gift_cards ON gift_cards.id = gift_card_id
       WHERE payouts.payment_type = 'bank_transfer' AND payouts.state NOT IN ('returned', 'void') AND data_key IS NOT NULL
       ORDER BY payouts.id LIMIT $1
     )`,
    [PAYOUTS],
  )
  await pool.query('VACUUM (ANALYZE) payouts')
}

async function exportBatch(stage: Stage, id: string): Promise<void> {
  await ask(stage, 'POST', `/${id}/freeze`, {})
  await ask(stage, 'POST', `/${id}/release`, {})
  await ask(stage, 'POST', `/${id}/file`, {})
  const file = await fetch(`${stage.url}/api/admin/payout-batches/${id}/file`, { headers: stage.staff })
  if (!file.ok) throw new Error(`The file answered ${file.status}`)
  await file.bytes()
}

async function ask({ url, staff }: Stage, method: string, path: string, body: object) {
  const response = await fetch(`${url}/api/admin/payout-batches${path}`, {
    method,
    headers: { ...staff, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer)}`)
  return answer
}

const accountFields = ['paymentRoutingNumber', 'paymentAccountNumber'] as const

/** Opens the accounts, writes and seals a file, moves the payouts, and enqueues an email for each. */
async function exportBare({ pool, keys }: Stage, id: string): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await exportIn(client, keys, id)
    await client.query('COMMIT')
  } finally {
    client.release()
  }
}

async function exportIn(client: pg.PoolClient, keys: KeyRing, id: string): Promise<void> {
  const { rows } = await client.query(
    `SELECT payouts.number, amount, payment_account_name AS name, gift_cards.id, data_key AS "dataKey",
       payment_routing_number AS "paymentRoutingNumber", payment_account_number AS "paymentAccountNumber"
     FROM payouts JOIN gift_cards ON gift_cards.id = gift_card_id WHERE batch_id = $1 ORDER BY batch_position`,
    [id],
  )
  const lines = rows.map(({ number, amount, name, ...card }) => {
    const { paymentRoutingNumber, paymentAccountNumber } = openSecrets(keys, card, accountFields)
    const account = paymentAccountNumber?.padEnd(17)
    return `622${paymentRoutingNumber}${account}${amount.padStart(10, '0')}${number.padStart(15, '0')}${name.padEnd(22)}\r\n`
  })
  const file = Buffer.from(lines.join(''))
  const sha256 = createHash('sha256').update(file).digest('hex')
  const { dataKey, sealedFile } = sealFile(keys, id, file)
  await client.query(`UPDATE payouts SET state = 'released' WHERE batch_id = $1`, [id])
  await client.query(
    `UPDATE payout_batches SET state = 'exported', frozen_by = created_by, frozen_at = now(), released_by = created_by,
       released_at = now(), released_alone = true, exported_by = created_by, exported_at = now(), data_key = $2, sealed_file = $3, file_name = 'bare.ach',
       file_sha256 = $4 WHERE id = $1`,
    [id, dataKey, sealedFile, sha256],
  )
  await client.query(`UPDATE payouts SET state = 'exported', sent_at = now() WHERE batch_id = $1`, [id])
  await client.query(
    `INSERT INTO jobs (id, kind, key, payload, run_at)
     SELECT gen_random_uuid(), 'payoutMail', id || ':sent', jsonb_build_object('payoutId', id, 'kind', 'sent'), now() + interval '1 hour'
     FROM payouts WHERE batch_id = $1 ON CONFLICT DO NOTHING`,
    [id],
  )
}
