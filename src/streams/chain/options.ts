import type { ChainProblem } from './attempts.js'
import { invalidArgument } from '../../errors/chain-error.js'
import type { HistoryGapError } from '../../errors/history-gap.js'
import { decodeCursor } from '../../model/chain-cursor/cursor.js'
import type { ChainLocator } from '../../model/chain-cursor/locator.js'
import { hostOf } from '../../model/ip.js'
import { isHex } from '../../model/hex.js'
import type { ChainNetwork } from '../../model/network.js'
import { createAddressOfScript, type AddressOfScript } from './to-transaction.js'

/**
 * How much of each accepted transaction is read: its id, everything in `ChainTransaction`, or everything in
 * `ChainContractTransaction`.
 */
export type ChainDetail = 'ids' | 'full' | 'contracts'

/** Where a chain is followed from, and how. */
export interface FollowChainOptions {
  /** Continue after the batch that carried this cursor. Not together with `from`. */
  readonly cursor?: string | undefined
  /**
   * Start after the newest block, after the node's pruning point (the oldest one it can serve), or after the chain
   * block with this hash. Not together with `cursor`.
   * @default 'sink'
   */
  readonly from?: 'sink' | 'pruning-point' | (string & {}) | undefined
  /**
   * Hold a block back until it is this deep below the sink, in blue score. Ten blocks are about one second, and with 0
   * rollbacks of one block are normal: use 100 to credit money.
   * @default 0
   */
  readonly minConfirmations?: number | undefined
  /** Blocks of a batch, at most. @default 100 */
  readonly maxBlocks?: number | undefined
  /** All but `ids` need a node of 1.1 or later (`unsupported` on older ones). @default 'full' */
  readonly detail?: ChainDetail | undefined
  /**
   * What happens where no known block is on the node's chain and the node is not behind: reject with `history-gap`, or
   * continue at the oldest block the node can serve, with a rollback to it.
   * @default 'reject'
   */
  readonly onGap?: 'reject' | 'continue' | undefined
  /**
   * How long, in ms, a connected node may be behind the cursor, or refuse its requests, before `next()` rejects with
   * `ChainRpcError('followChain')` of code `node-behind`.
   * @default 600_000
   */
  readonly nodeBehindTimeout?: number | undefined
  /**
   * What happens where the node stays behind the cursor and no two endpoints of different hosts deny its newest block:
   * wait for it, or go on at the newest block of the cursor that the synced node has, with a rollback to it.
   * @default 'wait'
   */
  readonly onBehind?: 'wait' | 'rewind' | undefined
  /**
   * How many endpoints of different hosts must have a block, with the same transactions, before it is delivered. 2
   * needs two `urls` of different hosts; while one of two cannot be reached, nothing is delivered.
   * @default 1
   */
  readonly agree?: 1 | 2 | undefined
  /**
   * With `cursor`, rolls back to a block of the node's chain before it continues: its hash, or the newest block up to a
   * blue score as decimal text; an older block where the cursor left the node's chain below it. The first batch carries
   * the rollback. Rejects with `ChainError` (`invalid-argument`) for a block that the node does not have, and for one
   * above the cursor.
   */
  readonly rewindTo?: string | undefined
  /**
   * Receives why the iteration stands still, or went back without a reorg. The next batch says that it goes on, and has
   * no blocks where there are no new ones.
   */
  readonly onProblem?: ((problem: ChainProblem) => void) | undefined
  /** Ends the iteration: a pending `next()` rejects with `ChainError` of code `aborted`, and everything is released. */
  readonly signal?: AbortSignal | undefined
}

/** Where the chain is followed from: a stored position, or a block yet to be looked up. */
export type ChainStart =
  | { readonly type: 'cursor'; readonly locator: ChainLocator }
  | { readonly type: 'sink' }
  | { readonly type: 'pruning-point' }
  | { readonly type: 'block'; readonly hash: string }

/** Checked options, with defaults. */
export interface FollowSettings {
  readonly start: ChainStart
  readonly minConfirmations: bigint
  readonly maxBlocks: number
  readonly detail: ChainDetail
  readonly nodeBehindTimeout: number
  /** Where to continue behind a gap; `reject` ends the iteration. */
  readonly onGap: 'reject' | 'pruning-point' | 'sink'
  /** Receives each gap that is passed. */
  readonly onGapFound?: ((gap: HistoryGapError) => void) | undefined
  readonly network: ChainNetwork
  readonly addressOf: AddressOfScript
  readonly onBehind: 'wait' | 'rewind'
  readonly agree: 1 | 2
  readonly rewindTo?: string | undefined
  readonly onProblem?: ((problem: ChainProblem) => void) | undefined
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0

/** What each option accepts: as text for the error, and as a check. */
const RULES: Readonly<Record<keyof FollowChainOptions, readonly [string, (value: unknown) => boolean]>> = {
  cursor: ['the text that a batch carried', () => true], // checked when decoded
  from: ["'sink', 'pruning-point' or the hash of a chain block, 64 hex digits", isStart],
  minConfirmations: ['a whole number from 0', isCount],
  maxBlocks: ['a whole number from 1', (value) => isCount(value) && value !== 0],
  detail: ["'ids', 'full' or 'contracts'", (value) => value === 'ids' || value === 'full' || value === 'contracts'],
  onGap: ["'reject' or 'continue'", (value) => value === 'reject' || value === 'continue'],
  nodeBehindTimeout: ['a number of milliseconds from 0, or Infinity', (value) => Number(value) >= 0],
  onBehind: ["'wait' or 'rewind'", (value) => value === 'wait' || value === 'rewind'],
  agree: ['1 or 2', (value) => value === 1 || value === 2],
  rewindTo: [
    'the hash of a chain block, 64 hex digits, or a blue score as decimal text',
    (value) => typeof value === 'string' && (/^\d{1,19}$/.test(value) || isHex(value.toLowerCase(), 32)),
  ],
  onProblem: ['a function', (value) => typeof value === 'function'],
  signal: ['an AbortSignal', (value) => typeof value === 'object' && value !== null && 'aborted' in value],
}

/**
 * Checks options and sets defaults. `urls` are the endpoints of the engine. Throws `ChainError` (`invalid-argument`).
 */
export function toFollowSettings(
  options: FollowChainOptions,
  network: ChainNetwork,
  urls: readonly string[],
): FollowSettings {
  for (const [name, value] of Object.entries(options)) checkOption(name, value)
  const { cursor, from, minConfirmations = 0, maxBlocks = 100, detail = 'full' } = options
  if (cursor !== undefined && from !== undefined)
    throw invalidArgument('from', 'Both "cursor" and "from" are given', 'A cursor is the start: leave "from" out.')
  const { onBehind = 'wait', agree = 1, rewindTo, onProblem } = options
  if (agree === 2 && new Set(urls.map(hostOf)).size < 2)
    throw invalidArgument('agree', '"agree" needs two endpoints of different hosts', 'Pass them to the engine as urls.')
  if (rewindTo !== undefined && cursor === undefined)
    throw invalidArgument('rewindTo', '"rewindTo" needs a cursor', 'Pass the stored cursor too.')
  return {
    onBehind,
    agree,
    rewindTo: rewindTo?.toLowerCase(),
    onProblem,
    start: cursor === undefined ? toStart(from) : { type: 'cursor', locator: decodeCursor(cursor, network) },
    minConfirmations: BigInt(minConfirmations),
    maxBlocks,
    detail,
    nodeBehindTimeout: options.nodeBehindTimeout ?? 600_000,
    onGap: options.onGap === 'continue' ? 'pruning-point' : 'reject',
    network,
    addressOf: createAddressOfScript(network),
  }
}

function checkOption(name: string, value: unknown): void {
  if (!isOption(name))
    throw invalidArgument(name, `There is no option "${name}"`, 'Check its spelling, or leave it out.')
  const [allowed, accepts] = RULES[name]
  if (value !== undefined && !accepts(value)) throw invalidArgument(name, `"${name}" is not ${allowed}`)
}

const isOption = (name: string): name is keyof FollowChainOptions => Object.hasOwn(RULES, name)

function isStart(value: unknown): boolean {
  return value === 'sink' || value === 'pruning-point' || (typeof value === 'string' && isHex(value.toLowerCase(), 32))
}

const toStart = (from = 'sink'): ChainStart =>
  from === 'sink' || from === 'pruning-point' ? { type: from } : { type: 'block', hash: from.toLowerCase() }
