import { toScriptPublicKey } from '../../../model/address.js'
import type { ScriptPublicKey } from '../../../model/utxo.js'
import type { RpcMempoolEntry } from '../../../node/messages/records.js'
import type { Network } from '../network.js'
import type { PoolEntry } from '../mempool/pool.js'
import { toRpcTransaction } from '../records/blocks.js'
import type { KnownTransaction } from '../transaction.js'
import { scriptKey } from '../utxo/addresses.js'
import { admit } from '../mempool/admission.js'
import { succeed, fail } from '../result.js'
import type { Queries } from './scope.js'

/** Which transactions are requested: mempool transactions, orphans, or both. */
interface Flags {
  readonly includeOrphanPool: boolean
  /** Excludes transactions that are not orphans. */
  readonly filterTransactionPool: boolean
}

const EMPTY_SELECTION = 'transaction query must either not filter transactions or include orphans'

export const mempoolQueries: Queries<'getMempoolEntry' | 'getMempoolEntries' | 'getMempoolEntriesByAddresses'> = {
  getMempoolEntry: ({ network }, { transactionId, ...flags }) => {
    if (selectsNothing(flags)) return fail(EMPTY_SELECTION)
    const { pool, orphans } = network.mempool
    const entry = flags.filterTransactionPool ? undefined : pool.find(transactionId)
    if (entry !== undefined) return succeed({ mempoolEntry: toPoolRecord(network, entry) })
    const orphan = flags.includeOrphanPool ? orphans.find(transactionId) : undefined
    return orphan === undefined
      ? fail(`Transaction ${transactionId} not found`)
      : succeed({ mempoolEntry: toOrphanRecord(network, orphan) })
  },

  getMempoolEntries: ({ network }, flags) =>
    selectsNothing(flags)
      ? fail(EMPTY_SELECTION)
      : succeed({ mempoolEntries: candidates(network, flags).map(({ record }) => record()) }),

  /** One entry per script; the prefix of requested addresses is ignored, the response has the network's prefix. */
  getMempoolEntriesByAddresses: ({ network }, { addresses, ...flags }) => {
    if (selectsNothing(flags)) return fail(EMPTY_SELECTION)
    const selected = candidates(network, flags)
    const localized = addresses.map((address) => network.state.validation.addresses.localize(address))
    return succeed({
      entries: [...new Set(localized)].map((address) => {
        const key = scriptKey(toScriptPublicKey(address))
        return {
          address,
          sending: selected.filter(({ senders }) => senders.has(key)).map(({ record }) => record()),
          receiving: selected.filter(({ receivers }) => receivers.has(key)).map(({ record }) => record()),
        }
      }),
    })
  },
}

const selectsNothing = ({ includeOrphanPool, filterTransactionPool }: Flags): boolean =>
  filterTransactionPool && !includeOrphanPool

/** A transaction that may match a query. The senders of an orphan are unknown. */
interface Candidate {
  readonly senders: ReadonlySet<string>
  readonly receivers: ReadonlySet<string>
  readonly record: () => RpcMempoolEntry
}

function candidates(network: Network, { includeOrphanPool, filterTransactionPool }: Flags): readonly Candidate[] {
  const { pool, orphans } = network.mempool
  const poolEntries = filterTransactionPool ? [] : [...pool.entries()]
  const orphanEntries = includeOrphanPool ? [...orphans.all()] : []
  return [
    ...poolEntries.map((entry) => ({
      senders: scriptsOf(entry.spent),
      receivers: scriptsOf(entry.known.transaction.outputs),
      record: () => toPoolRecord(network, entry),
    })),
    ...orphanEntries.map((known) => ({
      senders: new Set<string>(),
      receivers: scriptsOf(known.transaction.outputs),
      record: () => toOrphanRecord(network, known),
    })),
  ]
}

const scriptsOf = (utxos: readonly { readonly scriptPublicKey: ScriptPublicKey }[]): ReadonlySet<string> =>
  new Set(utxos.map(({ scriptPublicKey }) => scriptKey(scriptPublicKey)))

const toPoolRecord = ({ state }: Network, { known, fee }: PoolEntry): RpcMempoolEntry => ({
  fee,
  transaction: toRpcTransaction(known, state.validation.addresses),
  isOrphan: false,
})

const toOrphanRecord = ({ state }: Network, known: KnownTransaction): RpcMempoolEntry => ({
  fee: 0n,
  transaction: toRpcTransaction(known, state.validation.addresses),
  isOrphan: true,
})

export const transactionQueries: Queries<'submitTransaction' | 'submitTransactionReplacement'> = {
  submitTransaction: ({ network, rpcMode }, { transaction, allowOrphan }) => {
    const missingUtxo = allowOrphan && rpcMode === 'unsafe' ? 'keep-as-orphan' : 'reject'
    const admission = admit(network, transaction, { rbf: 'forbidden', missingUtxo })
    return admission.kind === 'rejected' ? fail(admission.message) : succeed({ transactionId: admission.id })
  },

  submitTransactionReplacement: ({ network }, { transaction }) => {
    const admission = admit(network, transaction, { rbf: 'required', missingUtxo: 'reject' })
    if (admission.kind === 'rejected') return fail(admission.message)
    const replaced = admission.kind === 'admitted' ? admission.replaced : undefined
    if (replaced === undefined) throw new RangeError('An admitted replacement has replaced a transaction')
    return succeed({ transactionId: admission.id, replacedTransaction: replaced.transaction })
  },
}
