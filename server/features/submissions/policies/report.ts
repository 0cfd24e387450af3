import { sql } from 'drizzle-orm'
import type { PolicyWeekAnswer } from '#contract/policies.ts'
import { conditionCodes } from '#domain/policy.ts'
import type { Context } from '#server/context.ts'
import { notFound } from '#server/http/refusal.ts'
import { findPolicy } from './queries.ts'

/** Maximum weeks that are listed. */
const MAX_WEEKS = 53

/**
 * What all versions of a policy decided or would have decided, beside what happened to the cards, by week of the shop, newest first.
 * Compares only cards that met every condition, even if a limit, the stop or the sample left them to a person.
 */
export async function readPolicyReport({ db }: Context, id: string): Promise<PolicyWeekAnswer[]> {
  if (!(await findPolicy(db, id))) throw notFound()
  const failedConditions = sql.param([...conditionCodes])
  const { rows } = await db.execute<PolicyWeekAnswer & Record<string, unknown>>(sql`
    with said as (
      -- Of several versions, the first one that found every condition met.
      select distinct on (gift_card_id) gift_card_id, price, outcome, at,
        not coalesce(reason = any(${failedConditions}::text[]), false) as met
      from policy_decisions where policy_id = ${id}
      order by gift_card_id, coalesce(reason = any(${failedConditions}::text[]), false), policy_version
    ), seen as (
      select said.*, date_trunc('week', said.at)::date::text as week, status,
        status in ('rejected', 'failed') or coalesce(inventory.state = 'bad', false) as lost,
        selling_price < said.price
          or status in ('offered', 'cancelled') and exists (
            select from status_history where status_history.gift_card_id = gift_cards.id and move = 'offer'
          ) as reduced
      from said
      join gift_cards on gift_cards.id = said.gift_card_id
      left join inventory on inventory.gift_card_id = gift_cards.id
    )
    select week,
      (count(*) filter (where met))::integer as passed,
      (count(*) filter (where outcome = 'approved'))::integer as approved,
      (count(*) filter (where met and not lost and not reduced and status in ('processing', 'completed')))::integer as same,
      (count(*) filter (where met and (lost or reduced)))::integer as different,
      (count(*) filter (where met and not reduced and status in ('pending', 'under_review')))::integer as open,
      coalesce(sum(price) filter (where met and lost), 0)::float8 as cost,
      (count(*) filter (where not met))::integer as people
    from seen group by week order by week desc limit ${MAX_WEEKS}`)
  return rows
}
