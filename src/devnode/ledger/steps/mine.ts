import type { NodeNotification, RpcRequest, RpcResponse } from '../../../node/messages/records.js'
import type { LedgerBlock, Miner } from '../block.js'
import type { Network } from '../network.js'
import { selectTransactions } from '../mempool/selection.js'
import type { KnownTransaction } from '../transaction.js'
import { assemble } from '../chain/create-block.js'
import { decodeAddress, toScriptPublicKey } from '../../../model/address.js'
import { toHex } from '../../../model/hex.js'
import type { ScriptPublicKey } from '../../../model/utxo.js'
import { succeed, fail, type RpcResult } from '../result.js'
import type { Virtual } from '../chain/virtual-chain.js'
import { MAX_COINBASE_PAYLOAD, TEMPLATE_LIFETIME } from '../params.js'
import { promoteOrphans, findSpentUtxos } from '../mempool/admission.js'
import { blockAdded, virtualChanged } from '../records/events.js'

interface MinePlan {
  readonly miner: Miner
  /** Unix milliseconds. */
  readonly now: number
  readonly count: number
  readonly parallel: number
}

interface Mined {
  readonly hashes: readonly string[]
  readonly events: readonly NodeNotification[]
}

/** Mines `count` rounds of `parallel` blocks. Blocks of one round share parents and mempool transactions. */
export function mine(network: Network, { miner, now, count, parallel }: MinePlan): Mined {
  const mined = Array.from({ length: count }, () => {
    const { state } = network
    const { virtual } = state
    const transactions = selectTransactions(network)
    const blocks = Array.from({ length: parallel }, (_, index) =>
      assemble(state, virtual, { transactions, miner, timestamp: now, nonce: BigInt(index) }),
    )
    return blocks.map((block) => ({ hash: block.hash, events: addMined(network, block, virtual.acceptance) }))
  }).flat()
  return { hashes: mined.map(({ hash }) => hash), events: mined.flatMap(({ events }) => events) }
}

/** Mines one block on virtual with exactly these transactions, mempool ignored. */
export function mineOne(
  network: Network,
  assembly: {
    readonly transactions: readonly KnownTransaction[]
    readonly miner: Miner
    readonly timestamp: number
    readonly subsidy?: bigint
  },
): { readonly block: LedgerBlock; readonly events: readonly NodeNotification[] } {
  const { virtual } = network.state
  const block = assemble(network.state, virtual, assembly)
  return { block, events: addMined(network, block, virtual.acceptance) }
}

function addMined(
  network: Network,
  block: LedgerBlock,
  acceptance: Network['state']['virtual']['acceptance'],
): readonly NodeNotification[] {
  network.state.insertMined(block, acceptance)
  return resolveVirtual(network, [block])
}

interface Selection {
  readonly virtual: Virtual
  /** Unix milliseconds. */
  readonly at: number
  readonly transactions: readonly KnownTransaction[]
}

/**
 * Block templates. The selected transactions are cached for `TEMPLATE_LIFETIME` or until the next block; later mempool
 * transactions are not included until then.
 */
export class Templates {
  #selection: Selection | undefined

  create(
    network: Network,
    nodeVersion: string,
    { payAddress, extraData }: RpcRequest<'getBlockTemplate'>,
    now: number,
  ): RpcResult<RpcResponse<'getBlockTemplate'>> {
    const { prefix } = decodeAddress(payAddress)
    if (prefix !== network.state.validation.addresses.prefix) return fail(`The address has an invalid prefix ${prefix}`)
    const { virtual, transactions } = this.#select(network, now)
    const miner = toMiner(payAddress, nodeVersion, extraData)
    const { header, transactions: known } = assemble(network.state, virtual, { transactions, miner, timestamp: now })
    const rawTransactions = known.map(({ transaction }) => transaction)
    const payload = rawTransactions[0]?.payload ?? ''
    if (payload.length > 2 * MAX_COINBASE_PAYLOAD)
      return fail(
        `Coinbase payload is above max length (${String(MAX_COINBASE_PAYLOAD)}). Try to shorten the extra data.`,
      )
    return succeed({ block: { header, transactions: rawTransactions }, isSynced: true })
  }

  #select(network: Network, now: number): Selection {
    const last = this.#selection
    const age = last === undefined ? Infinity : now - last.at
    if (last?.virtual === network.state.virtual && age >= 0 && age <= TEMPLATE_LIFETIME) return last
    const selection = { virtual: network.state.virtual, at: now, transactions: selectTransactions(network) }
    this.#selection = selection
    return selection
  }
}

/** Miner data of a coinbase that pays to an address. */
export const toMiner = (address: string, nodeVersion: string, extraData = ''): Miner =>
  minerOfScript(toScriptPublicKey(address, 'address'), nodeVersion, extraData)

/** Miner data of a coinbase: the node prefixes the extra data with its version. */
export function minerOfScript(scriptPublicKey: ScriptPublicKey, nodeVersion: string, extraData: string): Miner {
  const version = toHex(new TextEncoder().encode(`${nodeVersion}/`))
  return { scriptPublicKey, extraData: version + extraData }
}

/**
 * Updates virtual and mempool after blocks are inserted into the DAG. Returns the notifications in the node's order.
 * `relayed`: the blocks that did not come in IBD, in which a node leaves its mempool as it is.
 */
export function resolveVirtual(
  network: Network,
  blocks: readonly LedgerBlock[],
  relayed = blocks,
): readonly NodeNotification[] {
  const { state, mempool } = network
  const change = state.update()
  for (const block of relayed) {
    mempool.removeIncluded(block)
    for (const known of block.transactions.slice(1)) promoteOrphans(network, known)
  }
  mempool.included.expire(state.virtual.context.daaScore)
  if (change.removed.length > 0 && relayed.length > 0) removeUnspendable(network)
  return [...blocks.map((block) => blockAdded(state, block)), ...virtualChanged(state, change)]
}

/** After a reorg, removes mempool transactions with missing UTXOs, and their descendants. */
function removeUnspendable(network: Network): void {
  for (const { known } of [...network.mempool.pool.entries()])
    if (findSpentUtxos(network, known) === undefined) network.mempool.pool.removeWithDescendants(known.id)
}
