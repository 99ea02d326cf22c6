import { toScriptPublicKey } from '../../model/address.js'
import type { Transaction } from '../../model/transaction.js'
import type { Outpoint, UtxoEntry } from '../../model/utxo.js'
import type { ChainState } from './chain/chain-state.js'
import type { Network } from './network.js'
import { mergerOf } from './chain/merger.js'
import type { KnownTransaction } from './transaction.js'
import { scriptKey } from './utxo/addresses.js'
import { coinOf } from './utxo/entry.js'

/** A transaction with all that an indexer knows of it. */
export interface LedgerTransaction {
  readonly transaction: Transaction
  readonly transactionId: string
  readonly hash: string
  /** The blocks that include it, in the order of arrival. */
  readonly blockHashes: readonly string[]
  /** The chain block that accepted it; undefined while only virtual has, or none. */
  readonly acceptingBlockHash: string | undefined
  /** The coins it spends, by input; undefined where nobody knows them. Their DAA score is that of the block which included them. */
  readonly spent: readonly (UtxoEntry | undefined)[]
}

/** What an indexer beside the node has kept: every transaction that a block ever included, by id and by address. */
export interface History {
  transaction(transactionId: string): LedgerTransaction | undefined
  /** The coin that was ever at the outpoint, spent or not; those that were there from the start count too. */
  coin(outpoint: Outpoint): UtxoEntry | undefined
  /** Ids of transactions that spend from or pay to the address, newest first. */
  transactionIdsOf(address: string): readonly string[]
}

/** It costs nothing until it is asked; a network that went back to an earlier state is read anew. */
export function createHistory(network: () => Network, genesisCoins: readonly UtxoEntry[]): History {
  let index: HistoryIndex | undefined
  const current = (): HistoryIndex => {
    const { state } = network()
    if (index?.state !== state) index = new HistoryIndex(state, genesisCoins)
    return index
  }
  return {
    transaction: (id) => current().transaction(id),
    coin: (outpoint) => current().coin(outpoint),
    transactionIdsOf: (address) => current().transactionIdsOf(address),
  }
}

/** It catches up with the DAG each time it is asked. */
class HistoryIndex {
  readonly #genesisCoins: ReadonlyMap<string, UtxoEntry>
  readonly #known = new Map<string, { readonly known: KnownTransaction; readonly blockHashes: string[] }>()
  readonly #byScript = new Map<string, string[]>()
  #indexed = 0

  constructor(
    readonly state: ChainState,
    genesisCoins: readonly UtxoEntry[],
  ) {
    this.#genesisCoins = new Map(genesisCoins.map((coin) => [coin.outpoint.transactionId, coin]))
  }

  transaction(id: string): LedgerTransaction | undefined {
    this.#catchUp()
    const indexed = this.#known.get(id)
    if (indexed === undefined) return undefined
    const { known, blockHashes } = indexed
    const spent = known.transaction.inputs.map(({ previousOutpoint }) => this.#coin(previousOutpoint))
    const { transaction, hash } = known
    const acceptingBlockHash = this.#accepter(id, blockHashes)
    return { transaction, transactionId: id, hash, blockHashes, acceptingBlockHash, spent }
  }

  coin(outpoint: Outpoint): UtxoEntry | undefined {
    this.#catchUp()
    return this.#coin(outpoint)
  }

  /** Newest first. */
  transactionIdsOf(address: string): readonly string[] {
    this.#catchUp()
    return [...(this.#byScript.get(scriptKey(toScriptPublicKey(address))) ?? [])].reverse()
  }

  #accepter(id: string, blockHashes: readonly string[]): string | undefined {
    const mergers = blockHashes.flatMap((hash) => mergerOf(this.state, hash) ?? [])
    const accepter = mergers.find(({ hash }) => {
      const merged = this.state.acceptanceOf(hash)?.merged ?? []
      return merged.some(({ accepted }) => accepted.some(({ known }) => known.id === id))
    })
    return accepter?.hash
  }

  #coin(outpoint: Outpoint): UtxoEntry | undefined {
    const maker = this.#known.get(outpoint.transactionId)
    const [block] = maker?.blockHashes ?? []
    if (maker === undefined || block === undefined) return this.#genesisCoins.get(outpoint.transactionId)
    if (outpoint.index >= maker.known.transaction.outputs.length) return undefined
    const { header } = this.state.dag.get(block)
    return coinOf(maker.known, outpoint.index, header.daaScore, this.state.judge.addresses)
  }

  #catchUp(): void {
    if (this.#indexed === this.state.dag.size) return
    let place = 0
    for (const block of this.state.dag.blocks()) {
      if (place++ < this.#indexed) continue
      for (const known of block.transactions) this.#note(known, block.hash)
    }
    this.#indexed = this.state.dag.size
  }

  #note(known: KnownTransaction, blockHash: string): void {
    const before = this.#known.get(known.id)
    if (before !== undefined) {
      before.blockHashes.push(blockHash)
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
    const senders = inputs.flatMap(({ previousOutpoint }) => this.#coin(previousOutpoint) ?? [])
    return new Set([...senders, ...outputs].map(({ scriptPublicKey }) => scriptKey(scriptPublicKey)))
  }
}
