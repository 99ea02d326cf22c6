import type {
  AttemptReply,
  AttemptUpdate,
  ForeignDebit,
  GroupUpdate,
  JournalChange,
  NewAttempt,
  OutpointClaim,
  PayoutAttempt,
} from '../../streams/payouts/journal.js'
import { payoutParts } from './payout-parts.js'
import { toJson, type ChangePart, type PartScope } from './rows.js'

/**
 * The parts of a change. Claims and attempts refer to the group, which the end of the statement checks; the rows of
 * payouts decide which of two instances signs them, the primary key of claims which of them spends an output.
 */
export function partsOf(change: JournalChange, scope: PartScope): readonly ChangePart[] {
  const { payouts = [], groups = [], newAttempt, released = [], reclaimed = [], debits = [] } = change
  const isOther = ({ transactionId }: { transactionId: string }): boolean =>
    transactionId !== newAttempt?.attempt.transactionId
  const [attempts, replies] = [(change.attempts ?? []).filter(isOther), (change.replies ?? []).filter(isOther)]
  return [
    ...walletParts(change, scope),
    ...(newAttempt === undefined ? [] : attemptParts(withUpdates(newAttempt, change), scope)),
    ...(payouts.length === 0 ? [] : payoutParts(payouts, scope)),
    ...(groups.length === 0 ? [] : [groupPart(groups, scope)]),
    ...(attempts.length + replies.length === 0 ? [] : [attemptPart(attempts, replies, scope)]),
    ...(released.length === 0 ? [] : [releasePart(released, scope)]),
    ...(reclaimed.length === 0 ? [] : [reclaimPart(reclaimed, scope)]),
    ...(debits.length === 0 ? [] : [debitPart(debits, scope)]),
  ]
}

/** A statement does not update a row that it inserts. */
function withUpdates(given: NewAttempt, { attempts = [], replies = [] }: JournalChange): NewAttempt {
  const updates = [...attempts, ...replies].filter((each) => each.transactionId === given.attempt.transactionId)
  return {
    ...given,
    attempt: updates.reduce<PayoutAttempt>((attempt, each) => ({ ...attempt, ...each }), given.attempt),
  }
}

/** The position, over the one before, and whether the wallet is on hold. */
function walletParts({ cursor, isOnHold }: JournalChange, { s, network, wallet, bind }: PartScope): ChangePart[] {
  if (cursor === undefined && isOnHold === undefined) return []
  const value = bind(cursor?.to ?? null)
  const hold = bind(isOnHold === undefined ? null : String(isOnHold))
  const condition = cursor === undefined ? '' : `where c.value is not distinct from ${bind(cursor.from)}::text`
  return [
    {
      name: 'positioned',
      text: `(insert into ${s}.payout_cursor as c (network, wallet, value, is_on_hold)
          values (${network}, ${wallet}, ${value}, coalesce(${hold}::text::boolean, false))
          on conflict (network, wallet) do update set value = coalesce(excluded.value, c.value),
            is_on_hold = coalesce(${hold}::text::boolean, c.is_on_hold)
            ${cursor === undefined ? '' : ', updated_at = now()'} ${condition}
          returning 1)`,
      rows: 1,
    },
  ]
}

/** Group, claims and attempt: their references are checked at the end of the statement. */
function attemptParts({ group, attempt, claims }: NewAttempt, { s, network, wallet, bind }: PartScope): ChangePart[] {
  const { transactionId, number, kind, signed, fee, pays, acceptedBlueScore } = attempt
  const id = bind(group)
  const outpoints = bind([...claims].sort()) // in one order: two instances do not wait for each other
  const values = [
    ...[network, bind(transactionId), id, `${bind(String(number))}::text::integer`, bind(kind)],
    `${bind(JSON.stringify(signed))}::text::jsonb`,
    `${bind(String(fee))}::text::bigint`,
    `${bind(JSON.stringify(pays))}::text::jsonb`,
    `${bind(acceptedBlueScore === null ? null : String(acceptedBlueScore))}::text::bigint`,
    ...[bind(attempt.acceptingBlock), bind(attempt.outcome), bind(attempt.lastResponse)],
  ]
  const created: ChangePart = {
    name: 'created',
    text: `(insert into ${s}.payout_group (network, id, wallet, state) values (${network}, ${id}, ${wallet}, 'open')
        on conflict do nothing returning 1)`,
    rows: 1,
  }
  return [
    ...(number === 0 ? [created] : []),
    {
      name: 'claimed',
      text: `(insert into ${s}.payout_claim (network, outpoint, grp)
          select ${network}, outpoint, ${id} from unnest(${outpoints}::text[]) with ordinality as o (outpoint, at)
            order by o.at
          on conflict do nothing returning 1)`,
      rows: claims.length,
    },
    {
      name: 'stored',
      text: `(insert into ${s}.payout_attempt (network, transaction_id, grp, number, kind, signed, fee, pays,
            accepted_blue_score, accepting_block, outcome, last_response)
          values (${values.join(', ')})
          on conflict do nothing returning 1)`,
      rows: 1,
    },
  ]
}

function releasePart(claims: readonly OutpointClaim[], { s, network, bind }: PartScope): ChangePart {
  return {
    name: 'released',
    text: `(delete from ${s}.payout_claim as c using ${claimTable(claims, bind)}
        where c.network = ${network} and c.outpoint = r.outpoint and c.grp = r.grp)`,
  }
}

function reclaimPart(claims: readonly OutpointClaim[], { s, network, bind }: PartScope): ChangePart {
  return {
    name: 'reclaimed',
    text: `(insert into ${s}.payout_claim (network, outpoint, grp)
        select ${network}, r.outpoint, r.grp from ${claimTable(claims, bind)} order by r.outpoint
        on conflict do nothing)`,
  }
}

const claimTable = (claims: readonly OutpointClaim[], bind: PartScope['bind']): string =>
  `unnest(${bind(claims.map(({ outpoint }) => outpoint))}::text[], ${bind(claims.map(({ group }) => group))}::text[])
    as r (outpoint, grp)`

function groupPart(groups: readonly GroupUpdate[], { s, network, bind }: PartScope): ChangePart {
  const values = [
    groups.map(({ id }) => id),
    groups.map(({ version }) => String(version)),
    groups.map(({ state }) => state),
    groups.map(({ bumpRate }) => (bumpRate === null ? null : String(bumpRate))),
    groups.map(({ conflicts }) => toJson(conflicts)),
  ].map((column) => `${bind(column)}::text[]`)
  return {
    name: 'grouped',
    text: `(update ${s}.payout_group as g set state = u.state, bump_rate = u.bump_rate::double precision,
          conflicts = u.conflicts::jsonb, version = g.version + 1
        from unnest(${values.join(', ')}) as u (id, version, state, bump_rate, conflicts)
        where g.network = ${network} and g.id = u.id and g.version = u.version::integer
        returning 1)`,
    rows: groups.length,
  }
}

/** What the chain shows of attempts, and what a node replied: a statement updates a row once. */
function attemptPart(
  attempts: readonly AttemptUpdate[],
  replies: readonly AttemptReply[],
  { s, network, bind }: PartScope,
): ChangePart {
  const accepted = new Map(attempts.map((each) => [each.transactionId, each]))
  const replied = new Map(replies.map((each) => [each.transactionId, each]))
  const ids = [...new Set([...accepted.keys(), ...replied.keys()])]
  const textOf = (score: bigint | null | undefined): string | null =>
    score === null || score === undefined ? null : String(score)
  const values = [
    ids,
    ids.map((id) => String(accepted.has(id))),
    ids.map((id) => textOf(accepted.get(id)?.acceptedBlueScore)),
    ids.map((id) => accepted.get(id)?.acceptingBlock ?? null),
    ids.map((id) => String(replied.has(id))),
    ids.map((id) => replied.get(id)?.outcome ?? null),
    ids.map((id) => replied.get(id)?.lastResponse ?? null),
  ].map((column) => `${bind(column)}::text[]`)
  return {
    name: 'followed',
    text: `(update ${s}.payout_attempt as a set
          accepted_blue_score = case when u.is_read::boolean then u.blue_score::bigint else a.accepted_blue_score end,
          accepting_block = case when u.is_read::boolean then u.block else a.accepting_block end,
          outcome = case when u.is_replied::boolean then u.outcome else a.outcome end,
          last_response = case when u.is_replied::boolean then u.response else a.last_response end
        from unnest(${values.join(', ')}) as u (id, is_read, blue_score, block, is_replied, outcome, response)
        where a.network = ${network} and a.transaction_id = u.id
        returning 1)`,
    rows: ids.length,
  }
}

function debitPart(debits: readonly ForeignDebit[], { s, network, wallet, bind }: PartScope): ChangePart {
  const last = [...new Map(debits.map((debit) => [debit.transactionId, debit])).values()]
  const values = [
    last.map(({ transactionId }) => transactionId),
    last.map(({ isAcknowledged }) => String(isAcknowledged)),
    last.map(({ ids }) => JSON.stringify(ids)),
  ].map((column) => `${bind(column)}::text[]`)
  return {
    name: 'debited',
    text: `(insert into ${s}.payout_debit (network, wallet, transaction_id, is_acknowledged, ids)
        select ${network}, ${wallet}, u.id, u.is_acknowledged::boolean, u.ids::jsonb
          from unnest(${values.join(', ')}) as u (id, is_acknowledged, ids)
        on conflict (network, wallet, transaction_id) do update set is_acknowledged = excluded.is_acknowledged)`,
  }
}
