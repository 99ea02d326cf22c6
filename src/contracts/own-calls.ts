import type { InstanceEvent, InstanceState } from '../model/contracts/instance-state.js'
import type { ContractRows } from '../model/contracts/rows.js'
import { toOutpointKey } from '../model/utxo.js'

/** What the rows of the chain show of the own calls of an instance, without a look at the rows of others. */
export function ownCallsIn(
  state: InstanceState | null,
  rows: ContractRows,
): Pick<Extract<InstanceEvent, { type: 'chain' }>, 'accepted' | 'spenders'> {
  const { pending = [], moved = null } = state ?? {}
  const spenders = new Map(
    pending.flatMap(({ spent }) =>
      spent.flatMap((outpoint) => {
        const key = toOutpointKey(outpoint)
        const by = rows.get(key)?.spentBy?.transactionId
        return by === undefined ? [] : [[key, by] as const]
      }),
    ),
  )
  const created = pending.filter((call) => call.created.some(({ outpoint }) => rows.has(toOutpointKey(outpoint))))
  const accepted = new Set([...spenders.values(), ...created.map(({ transactionId }) => transactionId)])
  if (moved !== null && isIn(rows, moved.transactionId)) accepted.add(moved.transactionId)
  return { accepted, spenders }
}

/** Whether rows were created or spent by a transaction. */
const isIn = (rows: ContractRows, transactionId: string): boolean =>
  [...rows.values()].some(
    ({ outpoint, spentBy }) => outpoint.transactionId === transactionId || spentBy?.transactionId === transactionId,
  )
