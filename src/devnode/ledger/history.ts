import { toScriptPublicKey } from '../../model/address.js'
import type { Transaction } from '../../model/transaction.js'
import type { Outpoint, UtxoEntry } from '../../model/utxo.js'
import { type ChainState, mergerOf } from './chain/chain-state.js'
import type { Network } from './network.js'
import { type KnownTransaction, utxoOf } from './transaction.js'
import { scriptKey } from './utxo-set.js'

/** A transaction with the data of an indexer. */
export interface LedgerTransaction {
  readonly transaction: Transaction
  readonly transactionId: string
  readonly hash: string
  /** The blocks that include it, in insertion order. */
  readonly blockHashes: readonly string[]
  /** The accepting chain block; undefined if it is unaccepted or accepted by virtual only. */
  readonly acceptingBlockHash: string | undefined
  /** Spent UTXOs by input; undefined if unknown. Their DAA score is that of the first including block. */
  readonly spent: readonly (UtxoEntry | undefined)[]
}

/** An index of every transaction ever included in a block, by id and by address. */
export interface History {
  transaction(transactionId: string): LedgerTransaction | undefined
  /** The UTXO at an outpoint, spent or unspent, genesis UTXOs included. */
  utxo(outpoint: Outpoint): UtxoEntry | undefined
  /** Ids of transactions that spend from or pay to the address, newest first. */
  transactionIdsOf(address: string): readonly string[]
}

/** Built on the first query and rebuilt after a revert to a snapshot. */
export function createHistory(network: () => Network, genesisUtxos: readonly UtxoEntry[]): History {
  let index: HistoryIndex | undefined
  const current = (): HistoryIndex => {
    const { state } = network()
    if (index?.state !== state) index = new HistoryIndex(state, genesisUtxos)
    return index
  }
  return {
    transaction: (id) => current().transaction(id),
    utxo: (outpoint) => current().utxo(outpoint),
    transactionIdsOf: (address) => current().transactionIdsOf(address),
  }
}

/** Indexes the blocks added since the last query. */
class HistoryIndex {
  readonly #genesisUtxos: ReadonlyMap<string, UtxoEntry>
  readonly #known = new Map<string, { readonly known: KnownTransaction; readonly blockHashes: string[] }>()
  readonly #byScript = new Map<string, string[]>()
  #indexed = 0

  constructor(
    readonly state: ChainState,
    genesisUtxos: readonly UtxoEntry[],
  ) {
    this.#genesisUtxos = new Map(genesisUtxos.map((utxo) => [utxo.outpoint.transactionId, utxo]))
  }

  transaction(id: string): LedgerTransaction | undefined {
    this.#catchUp()
    const indexed = this.#known.get(id)
    if (indexed === undefined) return undefined
    const { known, blockHashes } = indexed
    const spent = known.transaction.inputs.map(({ previousOutpoint }) => this.#utxo(previousOutpoint))
    const { transaction, hash } = known
    const acceptingBlockHash = this.#acceptingBlockHash(id, blockHashes)
    return { transaction, transactionId: id, hash, blockHashes, acceptingBlockHash, spent }
  }

  utxo(outpoint: Outpoint): UtxoEntry | undefined {
    this.#catchUp()
    return this.#utxo(outpoint)
  }

  transactionIdsOf(address: string): readonly string[] {
    this.#catchUp()
    return [...(this.#byScript.get(scriptKey(toScriptPublicKey(address))) ?? [])].reverse()
  }

  #acceptingBlockHash(id: string, blockHashes: readonly string[]): string | undefined {
    const mergers = blockHashes.flatMap((hash) => mergerOf(this.state, hash) ?? [])
    const acceptingBlock = mergers.find(({ hash }) => {
      const merged = this.state.acceptanceOf(hash)?.merged ?? []
      return merged.some(({ accepted }) => accepted.some(({ known }) => known.id === id))
    })
    return acceptingBlock?.hash
  }

  #utxo(outpoint: Outpoint): UtxoEntry | undefined {
    const creator = this.#known.get(outpoint.transactionId)
    const [block] = creator?.blockHashes ?? []
    if (creator === undefined || block === undefined) return this.#genesisUtxos.get(outpoint.transactionId)
    if (outpoint.index >= creator.known.transaction.outputs.length) return undefined
    const { header } = this.state.dag.get(block)
    return utxoOf(creator.known, outpoint.index, header.daaScore, this.state.validation.addresses)
  }

  #catchUp(): void {
    if (this.#indexed === this.state.dag.size) return
    let index = 0
    for (const block of this.state.dag.blocks()) {
      if (index++ < this.#indexed) continue
      for (const known of block.transactions) this.#add(known, block.hash)
    }
    this.#indexed = this.state.dag.size
  }

  #add(known: KnownTransaction, blockHash: string): void {
    const indexed = this.#known.get(known.id)
    if (indexed !== undefined) {
      indexed.blockHashes.push(blockHash)
      return
    }
    this.#known.set(known.id, { known, blockHashes: [blockHash] })
    for (const script of this.#scriptsOf(known)) {
      const ids = this.#byScript.get(script) ?? []
      ids.push(known.id)
      this.#byScript.set(script, ids)
    }
  }

  #scriptsOf({ transaction: { inputs, outputs } }: KnownTransaction): ReadonlySet<string> {
    const senders = inputs.flatMap(({ previousOutpoint }) => this.#utxo(previousOutpoint) ?? [])
    return new Set([...senders, ...outputs].map(({ scriptPublicKey }) => scriptKey(scriptPublicKey)))
  }
}
