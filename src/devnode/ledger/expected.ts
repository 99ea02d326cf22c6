import { toScriptPublicKey } from '../../model/address.js'
import type { UtxoEntry } from '../../model/utxo.js'
import { balanceOf, type ExpectedBalance } from './balance.js'
import { acceptedIds } from './records/events.js'
import type { Network } from './network.js'

/** The expected state of a client, read from the current ledger at each call. */
export interface Expected {
  /** The UTXO set of virtual, of all addresses by default. */
  utxos(addresses?: readonly string[]): readonly UtxoEntry[]
  /** Balances in the order of `addresses`. */
  balances(addresses: readonly string[]): readonly ExpectedBalance[]
  /** Accepted transaction ids of each chain block, from genesis to sink. */
  accepted(): readonly { readonly acceptingBlockHash: string; readonly acceptedTransactionIds: readonly string[] }[]
  /** Ids in the mempool, without orphans. */
  mempool(): readonly string[]
  /** Chain blocks from genesis to sink. */
  chain(): readonly string[]
  /** Every block of the DAG in insertion order, genesis first. */
  blocks(): readonly string[]
  virtualDaaScore(): bigint
}

export const createExpected = (network: () => Network): Expected => ({
  utxos: (addresses) => {
    const { utxos } = network().state
    if (addresses === undefined) return [...utxos.all()]
    return addresses.flatMap((address) => [...utxos.ofScript(toScriptPublicKey(address, 'address'))])
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
