import type { UnconfirmedTransaction } from '../../../model/unconfirmed-transaction.js'
import type { RpcMempoolEntry, RpcResponse } from '../../../node/messages/records.js'
import { isCounted, type RecordEvent, type UnconfirmedRecord } from './record.js'
import { descendantsOf, type UnconfirmedRecords } from './records.js'

/** Transactions that are taken from one response, and those that have left the mempool and still count, at most. */
export const MAX_LISTED = 10_000

export type MempoolResponse = RpcResponse<'getMempoolEntriesByAddresses'>['entries']

export interface MempoolRead {
  /** The addresses that were read. */
  readonly addresses: ReadonlySet<string>
  readonly response: MempoolResponse
  /** Chain blocks counted when the read began, and now. */
  readonly startedAt: number
  readonly blocks: number
  /** Whether the UTXO index has shown a transaction since the read began. */
  readonly isSettled: (id: string) => boolean
}

export interface ReadContext {
  readonly records: UnconfirmedRecords
  readonly dispatch: (id: string, event: RecordEvent) => void
  /** Whether the UTXO index shows an output of the transaction. */
  readonly isShown: (record: UnconfirmedRecord) => boolean
}

interface Listed {
  readonly transaction: UnconfirmedTransaction
  readonly addresses: Set<string>
}

/** The listed transactions by id. */
export type ListedTransactions = ReadonlyMap<string, Listed>

/**
 * Applies a response of the mempool to the records of the addresses that were read. A transaction that is no longer
 * listed has left the mempool; where a listed one spends the same UTXO, it was replaced, together with its descendants:
 * own payments keep their inputs until that one is confirmed. Returns the listed ones.
 */
export function applyRead(read: MempoolRead, { records, dispatch, isShown }: ReadContext): ListedTransactions {
  const listed = listedTransactions(read)
  for (const [id, { transaction, addresses }] of listed) {
    records.add(transaction)
    dispatch(id, { type: 'listed', addresses })
    const record = records.all.get(id)
    // the response is older than the index
    if (record !== undefined && isShown(record)) dispatch(id, { type: 'settled' })
  }
  for (const [id, { addresses }] of [...records.all]) {
    if (listed.has(id) || !Array.from(addresses).some((address) => read.addresses.has(address))) continue
    dispatch(id, { type: 'absent', startedAt: read.startedAt, blocks: read.blocks })
  }
  for (const id of replacedIds(listed, records)) dispatch(id, { type: 'contested' })
  for (const id of excessIds(records)) dispatch(id, { type: 'replaced' })
  return listed
}

/** The listed transactions by id, each once, without orphans and without those that were accepted meanwhile. */
function listedTransactions({ addresses, response, isSettled }: MempoolRead): ListedTransactions {
  const listed = new Map<string, Listed>()
  for (const { address, sending, receiving } of response) {
    if (!addresses.has(address)) continue
    for (const entry of [...sending, ...receiving]) {
      const id = entry.transaction.verboseData?.transactionId
      if (id === undefined || entry.isOrphan || isSettled(id)) continue
      const known = listed.get(id)
      if (known !== undefined) known.addresses.add(address)
      else if (listed.size < MAX_LISTED)
        listed.set(id, { transaction: toUnconfirmed(id, entry), addresses: new Set([address]) })
    }
  }
  return listed
}

const toUnconfirmed = (id: string, { transaction }: RpcMempoolEntry): UnconfirmedTransaction => ({
  id,
  inputs: transaction.inputs.map(({ previousOutpoint }) => ({ outpoint: previousOutpoint })),
  outputs: transaction.outputs.map(({ value, scriptPublicKey, covenant }) => ({ value, scriptPublicKey, covenant })),
})

/** Unlisted transactions that have a double spend in the mempool, and their unlisted descendants. */
function replacedIds(listed: ListedTransactions, records: UnconfirmedRecords): ReadonlySet<string> {
  const replaced = new Set<string>()
  for (const [id, { transaction }] of listed) {
    for (const { outpoint } of transaction.inputs) {
      for (const other of records.spendersOf(outpoint)) {
        const record = records.all.get(other)
        if (other === id || listed.has(other) || record === undefined || !wasSeen(record)) continue
        replaced.add(other)
        for (const child of descendantsOf(record, records)) if (!listed.has(child)) replaced.add(child)
      }
    }
  }
  return replaced
}

/**
 * The oldest transactions of others that have left the mempool, beyond the maximum: a node could list others each time.
 */
function excessIds({ all }: UnconfirmedRecords): readonly string[] {
  const left = [...all].filter(([, { own, mempool }]) => own.step === 'none' && mempool.step === 'left')
  return left.slice(0, Math.max(0, left.length - MAX_LISTED)).map(([id]) => id)
}

/** Neither an own payment that is being submitted, nor a reverted one, which may be accepted again. */
const wasSeen = (record: UnconfirmedRecord): boolean =>
  isCounted(record) && record.own.step !== 'reverted' && record.addresses.size > 0
