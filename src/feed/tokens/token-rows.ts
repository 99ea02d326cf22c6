import type { ContractRow } from '../../model/contracts/rows.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'
import { addressOfOwner } from '../../model/tokens/owner.js'
import { movementsOf, type TokenMovement } from '../../model/tokens/transfers.js'
import { quote, type Query } from '../../sql/session.js'
import type { ChainRollback } from '../../streams/chain/batch.js'

/** Whose rows are written. */
export interface TokenRows {
  readonly schema: string
  readonly network: ChainNetwork
}

/** The columns of `token_transfer` but the network, with their types. */
const COLUMNS = {
  direction: 'text',
  outpoint_transaction_id: 'text',
  outpoint_index: 'bigint',
  covenant_id: 'text',
  extension_commitment: 'text',
  owner_scheme: 'smallint',
  owner: 'text',
  address: 'text',
  amount: 'bigint',
  value: 'bigint',
  transaction_id: 'text',
  accepting_block_hash: 'text',
  accepting_blue_score: 'bigint',
  block_daa_score: 'bigint',
} as const

const NAMES = Object.keys(COLUMNS)
const OWNER = 'covenant_id, extension_commitment, owner_scheme, owner'
const KEY = ['direction', 'outpoint_transaction_id', 'outpoint_index']

/**
 * Adds what outputs show of their owners, each once, and what that changes in the balances. An output of the start
 * whose block the chain shows now counts already: its row gets the block.
 */
export async function addMovements(
  query: Query,
  { schema, network }: TokenRows,
  rows: readonly ContractRow[],
): Promise<void> {
  const s = quote(schema)
  const movements = rows.flatMap(movementsOf)
  if (movements.length === 0) return
  const types = Object.entries(COLUMNS).map(([name, type]) => `${name} ${type}`)
  const given = `jsonb_to_recordset($2::text::jsonb) as g (${types.join(', ')})`
  const values = [network, toJson(movements, network)]
  await query(
    `with inserted as (
        insert into ${s}.token_transfer (network, ${NAMES.join(', ')}) select $1::text, g.* from ${given}
          on conflict do nothing returning *)
      insert into ${s}.token_balance as b (network, ${OWNER}, address, amount, outputs, locked_kas)
        select $1::text, ${OWNER}, max(address), ${sum('amount')}, ${sum('1')}, ${sum('value')}
          from inserted group by ${OWNER}
        on conflict (network, ${OWNER}) do update set amount = b.amount + excluded.amount,
          outputs = b.outputs + excluded.outputs, locked_kas = b.locked_kas + excluded.locked_kas`,
    values,
  )
  await query(
    `update ${s}.token_transfer as t
      set accepting_block_hash = g.accepting_block_hash, accepting_blue_score = g.accepting_blue_score from ${given}
      where t.network = $1 and ${KEY.map((name) => `t.${name} = g.${name}`).join(' and ')}
        and t.accepting_blue_score is null and g.accepting_blue_score is not null`,
    values,
  )
}

/** Deletes what blocks after a block have moved, and takes it out of the balances. */
export async function undoMovements(
  query: Query,
  { schema, network }: TokenRows,
  { blueScore, daaScore }: Pick<ChainRollback, 'blueScore' | 'daaScore'>,
): Promise<void> {
  const s = quote(schema)
  await query(
    `with deleted as (
        delete from ${s}.token_transfer where network = $1 and (accepting_blue_score > $2::text::bigint
          or accepting_blue_score is null and block_daa_score > $3::text::bigint) returning *
      ), change as (
        select ${OWNER}, ${sum('amount')} as amount, ${sum('1')} as outputs, ${sum('value')} as value
          from deleted group by ${OWNER})
      update ${s}.token_balance as b set amount = b.amount - change.amount, outputs = b.outputs - change.outputs,
        locked_kas = b.locked_kas - change.value
        from change where b.network = $1 and (b.${OWNER.replaceAll(', ', ', b.')}) = (change.${OWNER.replaceAll(', ', ', change.')})`,
    [network, String(blueScore), String(daaScore)],
  )
}

/** What is received minus what is spent. */
const sum = (column: string): string => `sum(case direction when 'in' then ${column} else -${column} end)`

/** Integers as decimal text. */
const toJson = (movements: readonly TokenMovement[], network: ChainNetwork): string =>
  JSON.stringify(
    movements.map((movement) => toRecord(movement, network)),
    (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
  )

function toRecord(
  { direction, outpoint, covenantId, state, value, cause, blockDaaScore }: TokenMovement,
  network: ChainNetwork,
): Readonly<Record<keyof typeof COLUMNS, unknown>> {
  return {
    direction,
    outpoint_transaction_id: outpoint.transactionId,
    outpoint_index: outpoint.index,
    covenant_id: covenantId,
    extension_commitment: state.extension_commitment,
    owner_scheme: state.owner_scheme,
    owner: state.owner,
    address: addressOfOwner(state, NETWORKS[network].addressPrefix),
    amount: state.amount,
    value,
    transaction_id: cause?.transactionId ?? outpoint.transactionId,
    accepting_block_hash: cause?.blockHash ?? null,
    accepting_blue_score: cause?.blueScore ?? null,
    block_daa_score: blockDaaScore,
  }
}
