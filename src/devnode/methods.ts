import { invalidArgument } from '../errors/chain-error.js'
import { isValidAddress } from '../model/address.js'
import { MAX_COINBASE_SCRIPT } from './ledger/params.js'
import type { RefusedScript } from './ledger/ledger.js'
import type { LiveLedger, Peers } from './live-ledger.js'

export interface DevnodeMineOptions {
  /** Parallel blocks in each step; the next step merges them. @default 1 */
  readonly parallel?: number | undefined
  /** The address that the coinbase pays to. @default the faucet */
  readonly address?: string | undefined
  /**
   * The script that the coinbase pays to in place of an address, hex. With a non-standard one (`51`),
   * `getVirtualChainFromBlockV2` fails with `The address is invalid` for every page that has the next chain block.
   */
  readonly script?: string | undefined
}

export interface DevnodeFundOptions {
  /** Pays with a coinbase output, which is immature for the network's coinbase maturity. @default false */
  readonly coinbase?: boolean | undefined
}

export interface DevnodeReorgOptions {
  /**
   * Number of newest chain blocks to replace. The new branch has at least one block more, so that it outweighs them.
   */
  readonly depth: number
  /**
   * Ids of transactions that are dropped permanently: no later block accepts them, and their UTXOs are unspent again.
   */
  readonly drop?: readonly string[] | undefined
  /** Ids of transactions whose UTXOs the new branch spends in other transactions, which pay them back. */
  readonly doubleSpend?: readonly string[] | undefined
}

export interface DevnodeReorg {
  /** Newest first. */
  readonly removed: readonly string[]
  /** Oldest first. */
  readonly added: readonly string[]
}

export interface DevnodeSyncOptions {
  /** The maximum number of blocks, in the order in which the peer got them. @default all */
  readonly blocks?: number | undefined
  /**
   * Takes headers without bodies, as a node in IBD does long before its chain gets there. Such a node responds to
   * `getVirtualChainFromBlock` from such a block as if everything were removed. A later `sync` that adds the bodies
   * ends the IBD: the mempool stays as it is, with transactions whose inputs these blocks have spent. @default false
   */
  readonly headersOnly?: boolean | undefined
}

export interface DevnodePruneOptions {
  /** The number of chain blocks kept below the sink. The last of them is the pruning point. */
  readonly depth: number
  /** The number of blocks below the pruning point whose headers are kept. @default 0 */
  readonly headers?: number | undefined
}

/** Methods that change the network. Clients are notified of each step before its promise resolves. */
export interface DevnodeMethods {
  /** Mines `count` steps (1) on the current tips, with the mempool's transactions; resolves to the hashes. */
  mine(count?: number, options?: DevnodeMineOptions): Promise<readonly string[]>
  /** Pays `amount` sompi to an address, in separate blocks; resolves to the transaction's id. */
  fund(address: string, amount: bigint, options?: DevnodeFundOptions): Promise<string>
  /** Replaces the newest chain blocks. */
  reorg(options: DevnodeReorgOptions): Promise<DevnodeReorg>
  /**
   * Adds the blocks of another node, a `fork` of this one or the node that this one was forked from. The heavier branch
   * becomes the chain: clients are notified of a reorg by the other node's chain. Rejects with `ChainError` for a node
   * of another network.
   */
  sync(peer: DevnodeMethods, options?: DevnodeSyncOptions): Promise<DevnodeReorg>
  /** Removes the history below a chain block, as a node prunes it. */
  prune(options: DevnodePruneOptions): void
  /**
   * Where the script of a refused transaction failed: script, position, opcode, stack and units, which a node does not
   * say. Undefined for a transaction that was not refused for a script, and after a thousand others.
   */
  explain(transactionId: string): RefusedScript | undefined
  /** Takes a snapshot; returns its number. */
  snapshot(): number
  /** Reverts to a snapshot; clients are notified as of a reorg. Throws `ChainError` for an unknown number. */
  revert(snapshot: number): void
}

/** Blocks mined between two yields to the event loop (requests of clients, timers). */
const BLOCKS_PER_TURN = 8

export function createMethods(live: LiveLedger, peers: Peers): DevnodeMethods {
  return {
    async mine(count = 1, options = {}) {
      requireCount('count', count)
      if (options.parallel !== undefined) requireCount('parallel', options.parallel, 1)
      requireScript(options.script)
      const hashes: string[] = []
      for (let step = 1; step <= count; step++) {
        hashes.push(...live.apply((ledger, now) => ledger.mine({ now, ...options })))
        if (step % BLOCKS_PER_TURN === 0) await yieldToEventLoop()
      }
      return hashes
    },
    fund: (address, amount, { coinbase = false } = {}) =>
      toPromise(() => {
        requireAddress(address, live)
        const as = coinbase ? 'coinbase' : 'transfer'
        return live.apply((ledger, now) => ledger.fund([{ address, amount }], { now, as })).transactionId
      }),
    reorg: (options) => toPromise(() => live.apply((ledger, now) => ledger.reorg({ ...options, now }))),
    sync: (peer, options) => toPromise(() => live.apply((ledger) => ledger.sync(peers.ledgerOf(peer), options))),
    prune: (options) => live.ledger.prune(options),
    explain: (transactionId) => live.ledger.explain(transactionId),
    snapshot: () => live.ledger.snapshot(),
    revert: (snapshot) => live.apply((ledger) => ledger.revert(snapshot)),
  }
}

/** Runs synchronous work; its result or exception as a promise. */
export const toPromise = <T>(work: () => T): Promise<T> => new Promise((resolve) => resolve(work()))

function requireCount(argument: string, count: number, least = 0): void {
  if (Number.isSafeInteger(count) && count >= least) return
  throw invalidArgument(argument, `"${argument}" is invalid`, `It is a whole number, ${least} or more.`)
}

function requireScript(script: string | undefined): void {
  if (script === undefined || (/^([0-9a-f]{2})*$/.test(script) && script.length <= 2 * MAX_COINBASE_SCRIPT)) return
  throw invalidArgument('script', 'The script is invalid', `It is hex, of ${MAX_COINBASE_SCRIPT} bytes at most.`)
}

function requireAddress(address: string, { ledger }: LiveLedger): void {
  if (isValidAddress(address, ledger.network.id)) return
  throw invalidArgument(
    'address',
    'The address is not valid on this network',
    `It begins with ${ledger.network.addressPrefix}:`,
  )
}

/**
 * Resolves in a later turn of the event loop, so that requests and timers run in between. Not a timer: timers may be
 * virtual, and browsers delay nested ones.
 */
function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}
