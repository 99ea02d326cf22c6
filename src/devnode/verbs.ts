import { setImmediate as breathe } from 'node:timers/promises'
import { invalidArgument } from '../errors/chain-error.js'
import { isValidAddress } from '../model/address.js'
import type { LiveLedger } from './live-ledger.js'

export interface DevnodeMineOptions {
  /** Blocks side by side in each step, so that the next step merges them. @default 1 */
  readonly parallel?: number | undefined
  /** Whom the coinbase pays. @default the faucet */
  readonly address?: string | undefined
}

export interface DevnodeFundOptions {
  /** Pays in freshly mined coins, which may be spent only after the network's coinbase maturity. @default false */
  readonly coinbase?: boolean | undefined
}

export interface DevnodeReorgOptions {
  /** How many of the newest chain blocks are replaced, by as many as outweigh them: one more, or several if they have merged others. */
  readonly depth: number
  /** Ids of transactions that fall out and never come back: the new branch spends their coins otherwise. */
  readonly drop?: readonly string[] | undefined
}

export interface DevnodeReorg {
  /** Newest first. */
  readonly removed: readonly string[]
  /** Oldest first. */
  readonly added: readonly string[]
}

/** What one can do to the network. Clients are told of each step before its promise resolves. */
export interface DevnodeVerbs {
  /** Mines `count` steps (1) on the present tips, mempool included; resolves to the hashes. */
  mine(count?: number, options?: DevnodeMineOptions): Promise<readonly string[]>
  /** Pays `amount` sompi to an address, in blocks of its own; resolves to the transaction's id. */
  fund(address: string, amount: bigint, options?: DevnodeFundOptions): Promise<string>
  /** Replaces the last chain blocks. */
  reorg(options: DevnodeReorgOptions): Promise<DevnodeReorg>
  /** Remembers the present state under a number. */
  snapshot(): number
  /** Goes back to a remembered state; clients are told as of a reorg. Throws `ChainError` for an unknown number. */
  revert(snapshot: number): void
}

/** Blocks that are mined before others get a turn: clients' requests, timers. */
const BLOCKS_PER_TURN = 8

export function createVerbs(live: LiveLedger): DevnodeVerbs {
  return {
    async mine(count = 1, options = {}) {
      requireCount('count', count)
      const hashes: string[] = []
      for (let step = 1; step <= count; step++) {
        hashes.push(...live.take((ledger, now) => ledger.mine({ now, ...options })))
        if (step % BLOCKS_PER_TURN === 0) await breathe()
      }
      return hashes
    },
    fund: (address, amount, { coinbase = false } = {}) =>
      settle(() => {
        requireAddress(address, live)
        const as = coinbase ? 'coinbase' : 'transfer'
        return live.take((ledger, now) => ledger.fund([{ address, amount }], { now, as })).transactionId
      }),
    reorg: ({ depth, drop }) => settle(() => live.take((ledger, now) => ledger.reorg({ now, depth, drop }))),
    snapshot: () => live.ledger.snapshot(),
    revert: (snapshot) => live.take((ledger) => ledger.revert(snapshot)),
  }
}

/** Work that is done at once, as a promise of its result or its failure. */
const settle = <T>(work: () => T): Promise<T> => new Promise((resolve) => resolve(work()))

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
