import { toScriptPublicKey } from '../../../model/address.js'
import type { ScriptPublicKey } from '../../../model/utxo.js'
import type { RpcMempoolEntry } from '../../../node/messages/records.js'
import { give, refuse } from '../answer.js'
import type { Network } from '../network.js'
import type { PoolEntry } from '../mempool/pool.js'
import { toRpcTransaction } from '../records/blocks.js'
import type { KnownTransaction } from '../transaction.js'
import { scriptKey } from '../utxo/addresses.js'
import type { Queries } from './scope.js'

/** Which transactions are asked for: those that wait, orphans, or both. */
interface Flags {
  readonly includeOrphanPool: boolean
  /** Leaves the ordinary ones out. */
  readonly filterTransactionPool: boolean
}

const NOTHING_ASKED = 'transaction query must either not filter transactions or include orphans'

/** What waits for a block. */
export const mempoolQueries: Queries<'getMempoolEntry' | 'getMempoolEntries' | 'getMempoolEntriesByAddresses'> = {
  getMempoolEntry: ({ network }, { transactionId, ...flags }) => {
    if (asksNothing(flags)) return refuse(NOTHING_ASKED)
    const { pool, orphans } = network.mempool
    const entry = flags.filterTransactionPool ? undefined : pool.find(transactionId)
    if (entry !== undefined) return give({ mempoolEntry: toPooled(network, entry) })
    const orphan = flags.includeOrphanPool ? orphans.find(transactionId) : undefined
    return orphan === undefined
      ? refuse(`Transaction ${transactionId} not found`)
      : give({ mempoolEntry: toOrphan(network, orphan) })
  },

  getMempoolEntries: ({ network }, flags) =>
    asksNothing(flags)
      ? refuse(NOTHING_ASKED)
      : give({ mempoolEntries: candidates(network, flags).map(({ record }) => record()) }),

  /** One entry for each script that is asked for, whatever prefix its address had; the answer has the network's own. */
  getMempoolEntriesByAddresses: ({ network }, { addresses, ...flags }) => {
    if (asksNothing(flags)) return refuse(NOTHING_ASKED)
    const asked = candidates(network, flags)
    const own = addresses.map((address) => network.state.judge.addresses.localize(address))
    return give({
      entries: [...new Set(own)].map((address) => {
        const key = scriptKey(toScriptPublicKey(address))
        return {
          address,
          sending: asked.filter(({ senders }) => senders.has(key)).map(({ record }) => record()),
          receiving: asked.filter(({ receivers }) => receivers.has(key)).map(({ record }) => record()),
        }
      }),
    })
  },
}

const asksNothing = ({ includeOrphanPool, filterTransactionPool }: Flags): boolean =>
  filterTransactionPool && !includeOrphanPool

/** A transaction that may be in the answer. The senders of an orphan are not known. */
interface Candidate {
  readonly senders: ReadonlySet<string>
  readonly receivers: ReadonlySet<string>
  readonly record: () => RpcMempoolEntry
}

function candidates(network: Network, { includeOrphanPool, filterTransactionPool }: Flags): readonly Candidate[] {
  const { pool, orphans } = network.mempool
  const pooled = filterTransactionPool ? [] : [...pool.entries()]
  const orphaned = includeOrphanPool ? [...orphans.all()] : []
  return [
    ...pooled.map((entry) => ({
      senders: scriptsOf(entry.spent),
      receivers: scriptsOf(entry.known.transaction.outputs),
      record: () => toPooled(network, entry),
    })),
    ...orphaned.map((known) => ({
      senders: new Set<string>(),
      receivers: scriptsOf(known.transaction.outputs),
      record: () => toOrphan(network, known),
    })),
  ]
}

const scriptsOf = (coins: readonly { readonly scriptPublicKey: ScriptPublicKey }[]): ReadonlySet<string> =>
  new Set(coins.map(({ scriptPublicKey }) => scriptKey(scriptPublicKey)))

const toPooled = ({ state }: Network, { known, fee }: PoolEntry): RpcMempoolEntry => ({
  fee,
  transaction: toRpcTransaction(known, state.judge.addresses),
  isOrphan: false,
})

const toOrphan = ({ state }: Network, known: KnownTransaction): RpcMempoolEntry => ({
  fee: 0n,
  transaction: toRpcTransaction(known, state.judge.addresses),
  isOrphan: true,
})
