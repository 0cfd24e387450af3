import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#server/platform/database/pool.ts'

/**
 * The batches, payouts and submissions whose state does not follow from the audit log, one sentence each. The history of a
 * submission has what its seller did, who is not in the audit log.
 *
 * @param since a UUIDv7: submissions and batches with an earlier id are left out
 */
export async function unexplained(db: Database, since: string): Promise<string[]> {
  const found: string[] = []
  for (const [what, query] of Object.entries(queries)) {
    const { rows } = await db.execute<{ id: string; state: string; said: string }>(query(since))
    found.push(...rows.map(({ id, state, said }) => `${what} ${id} is ${state}, the audit log says ${said}`))
  }
  return found
}

const queries: Readonly<Record<string, (since: string) => SQL>> = {
  Batch: (since) => sql`
    select id, state, said from (
      select payout_batches.id::text, state, (
        select case action
          when 'payout_batch.created' then 'open'
          when 'payout_batch.payout_taken_out' then 'open'
          when 'payout_batch.frozen' then 'frozen'
          when 'payout_batch.released' then 'released'
          when 'payout_batch.marked_exported' then 'exported'
          when 'payout_batch.settled' then 'settled'
          when 'payout_batch.voided' then 'void'
          when 'payout_batch.rejected' then 'rejected'
        end
        from audit_log where subject_kind = 'payout_batch' and subject_id = payout_batches.id::text
          and action not in ('payout_batch.paid', 'payout_batch.exported', 'payout_batch.rejection_reported',
            'payout_batch.rejection_withdrawn')
        order by audit_log.id desc limit 1
      ) as said from payout_batches where id > ${since}
    ) as batches where said is distinct from state`,

  // A cleared submission has one entry with all others that were cleared.
  Payout: (since) => sql`
    with said as (
      select payouts.id, case
        when action in ('payout.paid', 'payout.returned') then substr(action, 8)
        when action in ('payout.voided', 'payout_batch.rejected') then 'void'
        when details ->> 'to' = 'completed' then 'paid'
        when details ->> 'from' in ('processing', 'completed') then 'void'
      end as state
      from payouts join audit_log on subject_id = any (array[payouts.id, gift_card_id, batch_id]::text[])
      where gift_card_id > ${since}
      union all select payouts.id, case
        when payout_batches.state in ('open', 'frozen') then 'batched'
        -- A job records the payouts of a settled batch as paid.
        when payout_batches.state = 'settled' then 'exported'
        else payout_batches.state
      end
      from payouts join payout_batches on payout_batches.id = batch_id where gift_card_id > ${since}
      union all select id, 'due' from payouts where batch_id is null
    )
    select id, state, 'nothing of it' as said from payouts
    where gift_card_id > ${since} and not exists (select from said where said.id = payouts.id and said.state = payouts.state)
      and not exists (select from gift_cards where id = gift_card_id and cleared_at is not null)`,

  Submission: (since) => sql`
    select id, state, said from (
      select gift_cards.id::text, status as state,
        case when newest.by_kind = 'seller' or explained.moves = explained.entries then newest.to_status
          else explained.moves || ' moves and ' || explained.entries || ' entries' end as said
      from gift_cards join lateral (
        select to_status, by_kind from status_history where gift_card_id = gift_cards.id order by version desc limit 1
      ) as newest on true join lateral (
        select (select count(*) from status_history where gift_card_id = gift_cards.id and by_kind <> 'seller') as moves,
          (select count(*) from audit_log where subject_kind = 'submission' and subject_id = gift_cards.id::text
            and action in ('submission.moved', 'submission.undone')) as entries
      ) as explained on true where cleared_at is null and gift_cards.id > ${since}
    ) as cards where said is distinct from state`,
}
