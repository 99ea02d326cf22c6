import type { ChainError } from '../../errors/chain-error.js'
import { NO_REMOVED_BLOCKS, type RemovedBlocks } from './removed-blocks.js'
import type { Chain, ChainBlock, ChainStep } from './chain.js'
import type { AcceptanceChange, Gap } from './change.js'

/** A chain step, or a notification that could not be read or queued. */
export type ChainUpdate = ChainStep | 'dropped'

/**
 * - `idle`: not subscribed. `starting`: fetches the sink, the first block.
 * - `catching-up`: fetches the chain after a remembered block, page by page.
 * - `linking`: fetches the chain after an off-chain block, to find out whether it leads to the first block.
 * - `backing-off`: a request failed; it is retried after a delay.
 * - `live`: applies notifications as they arrive. In all other phases they are queued.
 */
export type Phase =
  | { readonly status: 'idle' }
  | { readonly status: 'live' }
  | { readonly status: 'starting'; readonly queued: readonly ChainUpdate[] }
  | CatchingUp
  | Linking
  | { readonly status: 'backing-off'; readonly queued: readonly ChainUpdate[] }

export interface CatchingUp {
  readonly status: 'catching-up'
  /** The remembered block that the response continues from. */
  readonly anchor: string
  /** The start block of the request: the anchor, then the last block of each page. */
  readonly from: string
  /** The previous pages. */
  readonly pages: ChainStep
  /** Notifications received before the request: its response covers them. */
  readonly covered: readonly ChainUpdate[]
  readonly queued: readonly ChainUpdate[]
}

export interface Linking extends Omit<CatchingUp, 'status' | 'anchor'> {
  readonly status: 'linking'
  readonly offChain: ChainBlock
}

export interface Acceptance {
  readonly phase: Phase
  readonly chain: Chain
  /** The newest block that a response, not a notification, has confirmed to follow the chain before it. */
  readonly verified: string | null
  /** Whether the next notification is known to follow the chain. */
  readonly order: 'proven' | 'unproven'
  /** Whether changes of blocks before `chain` were emitted, so that removing more than `chain` is a gap. */
  readonly priorChanges: 'none' | 'emitted'
  /** Blocks that left the chain recently. A step that only adds one of them again arrived out of order. */
  readonly removedBlocks: RemovedBlocks
  /** Blocks not at their recorded position, perhaps notified out of order. Their position is requested. */
  readonly misplaced: Chain
  /** The number of the latest request; responses to older ones are ignored. */
  readonly requestId: number
  /** Consecutive failed requests. */
  readonly tries: number
  /** A gap whose end is not known yet. */
  readonly pendingGap: { readonly from: string; readonly cause: ChainError } | null
  /** The changes of this transition, to be emitted. */
  readonly changes: readonly AcceptanceChange[]
  readonly gap: Gap | null
}

export type AcceptanceEvent =
  | { readonly type: 'opened' | 'closed' | 'networkChanged' | 'retryDue' }
  | { readonly type: 'notified'; readonly update: ChainUpdate; readonly at: number }
  | { readonly type: 'sinkReceived'; readonly requestId: number; readonly sink: string; readonly at: number }
  | { readonly type: 'pageReceived'; readonly requestId: number; readonly page: ChainStep; readonly at: number }
  | { readonly type: 'failed'; readonly requestId: number; readonly error: ChainError; readonly at: number }
  /** The node responded with an error: it does not know the block, or has pruned it. */
  | { readonly type: 'refused'; readonly requestId: number; readonly error: ChainError; readonly at: number }

/** The initial state of a stream that starts after a chain block. */
export const acceptanceAfter = (hash: string): Acceptance => ({
  ...INITIAL_ACCEPTANCE,
  chain: [{ hash, accepted: [] }],
  verified: hash,
  priorChanges: 'emitted',
})

export const INITIAL_ACCEPTANCE: Acceptance = {
  phase: { status: 'idle' },
  chain: [],
  verified: null,
  order: 'unproven',
  priorChanges: 'none',
  removedBlocks: NO_REMOVED_BLOCKS,
  misplaced: [],
  requestId: 0,
  tries: 0,
  pendingGap: null,
  changes: [],
  gap: null,
}
