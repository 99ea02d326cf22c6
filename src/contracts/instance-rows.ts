import type { ContractRow, ContractRows } from '../model/contracts/rows.js'
import type { KnownOutput } from '../model/contracts/pending-call.js'
import { toOutpointKey, type OutpointKey, toScriptKey } from '../model/utxo.js'
import type { InstanceEvent, InstanceState } from '../model/contracts/instance-state.js'
import { ChainError } from '../errors/chain-error.js'
import type { PaymentCheck } from '../operations/transactions/transaction-operations.js'

/** What a batch has changed of the rows of an instance. */
export interface RowChange {
  readonly rows: readonly ContractRow[]
  /** Whether others may have changed too: after a rollback, and where the following begins. */
  readonly isReset: boolean
}

/** What is unspent of the rows of an instance, which may be ten thousand: a batch costs what it changes of them. */
interface UnspentRows {
  /** The unspent outputs after a batch; the same array where nothing has changed. */
  readonly apply: (rows: ContractRows, change: RowChange) => readonly KnownOutput[]
}

export function createUnspentRows(): UnspentRows {
  const unspent = new Map<OutpointKey, KnownOutput>()
  let outputs: readonly KnownOutput[] = []
  return {
    apply: (rows, change) => {
      if (change.isReset) unspent.clear()
      else if (change.rows.length === 0) return outputs
      for (const row of change.isReset ? rows.values() : change.rows) {
        if (isUnspent(row)) unspent.set(toOutpointKey(row.outpoint), toKnown(row))
        else unspent.delete(toOutpointKey(row.outpoint))
      }
      outputs = [...unspent.values()]
      return outputs
    },
  }
}

export const isUnspent = ({ spentBy, isForeign }: ContractRow): boolean => spentBy === null && !isForeign

/** An unspent row. */
export const toKnown = ({ outpoint, value, state }: ContractRow): KnownOutput => ({ outpoint, value, state, depth: 0 })

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

/** Refuses payments, and change, to scripts of contracts: they would be lost. `scripts`: by their keys. */
export const createContractCheck =
  (scripts: { has(script: string): boolean }): PaymentCheck =>
  ({ outputs, change }) => {
    const at = outputs.findIndex(({ scriptPublicKey }) => scripts.has(toScriptKey(scriptPublicKey)))
    if (at >= 0) throw contractAddress(`outputs[${at}].address`)
    if (scripts.has(toScriptKey(change))) throw contractAddress('changeAddress')
  }

/** The error of an ordinary payment to a contract. */
export const contractAddress = (argument: string): ChainError<'contract-address'> =>
  new ChainError(`"${argument}" is the address of a contract`, {
    code: 'contract-address',
    argument,
    hint: 'An output there without the covenant id is lost for contracts that check their continuation: call the contract.',
  })
