import { toScriptPublicKey } from '../../model/address.js'
import type { UtxoEntry } from '../../model/utxo.js'
import { balanceOf, type TrueBalance } from './balance.js'
import { acceptedIds } from './records/events.js'
import type { Network } from './network.js'

/** What a perfect client would know. Each call looks anew. */
export interface Truth {
  /** The UTXO set that virtual sees; of all addresses where none are named. */
  utxos(addresses?: readonly string[]): readonly UtxoEntry[]
  /** What the coins of addresses are worth, in the order of `addresses`. */
  balances(addresses: readonly string[]): readonly TrueBalance[]
  /** What each chain block has accepted, from genesis to sink. */
  accepted(): readonly { readonly acceptingBlockHash: string; readonly acceptedTransactionIds: readonly string[] }[]
  /** Ids in the mempool, orphans aside. */
  mempool(): readonly string[]
  /** Chain blocks from genesis to sink. */
  chain(): readonly string[]
  /** Every block of the DAG, in the order of arrival, genesis first. */
  blocks(): readonly string[]
  virtualDaaScore(): bigint
}

export const createTruth = (network: () => Network): Truth => ({
  utxos: (addresses) => {
    const { coins } = network().state
    if (addresses === undefined) return [...coins.all()]
    return addresses.flatMap((address) => [...coins.heldBy(toScriptPublicKey(address, 'address'))])
  },
  accepted: () => {
    const { state } = network()
    return state.chain.slice(0).map((hash) => acceptedIds(state, hash))
  },
  mempool: () => [...network().mempool.pool.entries()].map(({ known }) => known.id),
  balances: (addresses) => addresses.map((address) => balanceOf(network(), address)),
  chain: () => network().state.chain.slice(0),
  blocks: () => [...network().state.dag.blocks()].map(({ hash }) => hash),
  virtualDaaScore: () => network().state.virtual.context.daaScore,
})
