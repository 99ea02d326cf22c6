import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { invalidArgument } from '../errors/chain-error.js'
import { isValidAddress } from '../model/address.js'
import type { LiveLedger } from './live-ledger.js'

export interface DevnodeMineOptions {
  /** Parallel blocks in each step; the next step merges them. @default 1 */
  readonly parallel?: number | undefined
  /** The address that the coinbase pays to. @default the faucet */
  readonly address?: string | undefined
}

export interface DevnodeFundOptions {
  /** Pays with a coinbase output, which is immature for the network's coinbase maturity. @default false */
  readonly coinbase?: boolean | undefined
}

export interface DevnodeReorgOptions {
  /** Number of newest chain blocks to replace. The new branch has at least one block more, so that it outweighs them. */
  readonly depth: number
  /** Ids of transactions that are dropped permanently: the new branch double-spends their UTXOs. */
  readonly drop?: readonly string[] | undefined
}

export interface DevnodeReorg {
  /** Newest first. */
  readonly removed: readonly string[]
  /** Oldest first. */
  readonly added: readonly string[]
}

/** Methods that change the network. Clients are notified of each step before its promise resolves. */
export interface DevnodeMethods {
  /** Mines `count` steps (1) on the current tips, with the mempool's transactions; resolves to the hashes. */
  mine(count?: number, options?: DevnodeMineOptions): Promise<readonly string[]>
  /** Pays `amount` sompi to an address, in separate blocks; resolves to the transaction's id. */
  fund(address: string, amount: bigint, options?: DevnodeFundOptions): Promise<string>
  /** Replaces the newest chain blocks. */
  reorg(options: DevnodeReorgOptions): Promise<DevnodeReorg>
  /** Takes a snapshot; returns its number. */
  snapshot(): number
  /** Reverts to a snapshot; clients are notified as of a reorg. Throws `ChainError` for an unknown number. */
  revert(snapshot: number): void
}

/** Blocks mined between two yields to the event loop (requests of clients, timers). */
const BLOCKS_PER_TURN = 8

export function createMethods(live: LiveLedger): DevnodeMethods {
  return {
    async mine(count = 1, options = {}) {
      requireCount('count', count)
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
    reorg: ({ depth, drop }) => toPromise(() => live.apply((ledger, now) => ledger.reorg({ now, depth, drop }))),
    snapshot: () => live.ledger.snapshot(),
    revert: (snapshot) => live.apply((ledger) => ledger.revert(snapshot)),
  }
}

/** Runs synchronous work; its result or exception as a promise. */
const toPromise = <T>(work: () => T): Promise<T> => new Promise((resolve) => resolve(work()))

function requireCount(argument: string, count: number): void {
  if (Number.isSafeInteger(count) && count >= 0) return
  throw invalidArgument(argument, `"${argument}" is invalid`, 'It is a whole number, 0 or more.')
}

function requireAddress(address: string, { ledger }: LiveLedger): void {
  if (isValidAddress(address, ledger.network.id)) return
  throw invalidArgument(
    'address',
    'The address is not valid on this network',
    `It begins with ${ledger.network.addressPrefix}:`,
  )
}
