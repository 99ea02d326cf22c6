import { toScriptPublicKey } from '../../model/address.js'
import type { UtxoEntry, Outpoint } from '../../model/utxo.js'
import { isMature } from '../../model/spendable.js'
import { acceptedIds } from './records/events.js'
import type { Network } from './network.js'
import { scriptKey } from './utxo-set.js'
import type { AcceptedTransaction } from './transaction.js'

/** The expected state of a client, read from the current ledger at each call. */
export interface Expected {
  /** The UTXO set of virtual, of all addresses by default. */
  utxos(addresses?: readonly string[]): readonly UtxoEntry[]
  /** Balances in the order of `addresses`. */
  balances(addresses: readonly string[]): readonly ExpectedBalance[]
  /** Accepted transaction ids of each chain block, from genesis to sink. */
  accepted(): readonly { readonly acceptingBlockHash: string; readonly acceptedTransactionIds: readonly string[] }[]
  /**
   * Credits and debits of the chain from genesis to sink in the order of acceptance, of all addresses by default.
   * Genesis UTXOs are not among them. A transaction in the sink is accepted by the next chain block, although `utxos`
   * has its outputs already.
   */
  transfers(addresses?: readonly string[]): readonly ExpectedTransfer[]
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
  transfers: (addresses) => {
    const watched = addresses === undefined ? undefined : new Set(addresses)
    const isWatched = ({ address }: ExpectedTransfer) => watched === undefined || watched.has(address ?? '')
    return [...transfersOf(network())].filter(isWatched)
  },
  mempool: () => [...network().mempool.pool.entries()].map(({ known }) => known.id),
  balances: (addresses) => addresses.map((address) => balanceOf(network(), address)),
  chain: () => network().state.chain.slice(0),
  blocks: () => [...network().state.dag.blocks()].map(({ hash }) => hash),
  virtualDaaScore: () => network().state.virtual.context.daaScore,
})

/** The balance of an address, in sompi. */
export interface ExpectedBalance {
  readonly address: string
  /** Unspent and old enough to spend. */
  readonly mature: bigint
  /** Coinbase outputs below the coinbase maturity. */
  readonly immature: bigint
  /** Outputs of mempool transactions to this address, change included. */
  readonly incoming: bigint
}

/** The balance of an address. Throws `ChainError` (`invalid-argument`) for an invalid address. */
function balanceOf({ state, mempool }: Network, address: string): ExpectedBalance {
  const script = toScriptPublicKey(address, 'address')
  const score = state.virtual.context.daaScore
  const utxos = [...state.utxos.ofScript(script)]
  const matureUtxos = utxos.filter((utxo) => isMature(utxo, score, state.validation.coinbaseMaturity))
  const outputs = [...mempool.pool.entries()].flatMap(({ known }) => known.transaction.outputs)
  const paid = outputs.filter(({ scriptPublicKey }) => scriptKey(scriptPublicKey) === scriptKey(script))
  const mature = sum(matureUtxos.map(({ amount }) => amount))
  return {
    address,
    mature,
    immature: sum(utxos.map(({ amount }) => amount)) - mature,
    incoming: sum(paid.map(({ value }) => value)),
  }
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

/** A UTXO that a chain block created (`credit`) or spent (`debit`). */
export interface ExpectedTransfer {
  readonly direction: 'credit' | 'debit'
  /** Undefined for a script without an address. */
  readonly address: string | undefined
  /** Sompi. */
  readonly amount: bigint
  readonly outpoint: Outpoint
  /** The transaction that creates or spends the UTXO. */
  readonly transactionId: string
  readonly isCoinbase: boolean
  readonly acceptingBlockHash: string
  readonly acceptingBlueScore: bigint
  readonly acceptingDaaScore: bigint
}

type Movement = Pick<ExpectedTransfer, 'direction' | 'address' | 'amount' | 'outpoint'>

/** Every transfer of the chain from genesis to sink, in the order of acceptance; genesis UTXOs are not transfers. */
function* transfersOf({ state }: Network): Iterable<ExpectedTransfer> {
  const addressOf = (script: Parameters<typeof state.validation.addresses.of>[0]) =>
    state.validation.addresses.of(script)
  for (const acceptingBlockHash of state.chain.slice(0)) {
    const { blueScore: acceptingBlueScore, daaScore: acceptingDaaScore } = state.dag.get(acceptingBlockHash).header
    const merged = state.acceptanceOf(acceptingBlockHash)?.merged ?? []
    for (const accepted of merged.flatMap((block) => block.accepted)) {
      const transactionId = accepted.known.id
      const isCoinbase = accepted.known.transaction.inputs.length === 0
      for (const movement of movementsOf(accepted, addressOf))
        yield { ...movement, transactionId, isCoinbase, acceptingBlockHash, acceptingBlueScore, acceptingDaaScore }
    }
  }
}

type AddressOf = (script: AcceptedTransaction['spent'][number]['scriptPublicKey']) => string | undefined

/** Debits first: a transaction spends before it creates. */
function movementsOf({ known, spent }: AcceptedTransaction, addressOf: AddressOf): readonly Movement[] {
  const debits = spent.map(({ amount, outpoint, scriptPublicKey }) => ({
    direction: 'debit' as const,
    address: addressOf(scriptPublicKey),
    amount,
    outpoint,
  }))
  const credits = known.transaction.outputs.map(({ value, scriptPublicKey }, index) => ({
    direction: 'credit' as const,
    address: addressOf(scriptPublicKey),
    amount: value,
    outpoint: { transactionId: known.id, index },
  }))
  return [...debits, ...credits]
}
