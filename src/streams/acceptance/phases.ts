import type { ChainError } from '../../errors/chain-error.js'
import { NONE_BURIED, type Buried } from './buried.js'
import type { Chain, ChainBlock, ChainStep } from './chain.js'
import type { AcceptanceChange, Gap } from './change.js'

/** What a node told, or that it told something which could not be read. */
export type Told = ChainStep | 'missed'

/**
 * What is being done:
 * - `idle`: the node does not tell. `starting`: the sink is asked for, the place to begin at.
 * - `pulling`: how the chain goes on from a remembered block is asked for, page by page.
 * - `leading`: whether the chain leads from a block that was told of, and is not remembered, to the beginning, is asked for.
 * - `resting`: a question went unanswered; it is put again when its time has come.
 * - `live`: what the node tells is taken as it comes. In all other steps it waits its turn.
 */
export type Step =
  | { readonly step: 'idle' }
  | { readonly step: 'live' }
  | { readonly step: 'starting'; readonly told: readonly Told[] }
  | Pulling
  | Leading
  | { readonly step: 'resting'; readonly told: readonly Told[] }

export interface Pulling {
  readonly step: 'pulling'
  /** The remembered block that the answers go on from. */
  readonly anchor: string
  /** The block asked from: the anchor, then the last one of each page. */
  readonly from: string
  /** What earlier pages said. */
  readonly pages: ChainStep
  /** Told before the question was put: the answer covers it. */
  readonly covered: readonly Told[]
  readonly told: readonly Told[]
}

export interface Leading extends Omit<Pulling, 'step' | 'anchor'> {
  readonly step: 'leading'
  readonly stray: ChainBlock
}

export interface Acceptance {
  readonly phase: Step
  readonly chain: Chain
  /** The newest block of which the node has said, when asked, that it follows what is remembered before it. */
  readonly verified: string | null
  /** Whether what is told next is known to follow what is remembered. */
  readonly order: 'proven' | 'unproven'
  /** Whether the listener was told of what is not remembered, and so has to be told that it cannot be taken back. */
  readonly past: 'untold' | 'told'
  /** Blocks that left the chain lately; one that is told to join it again, without more, was told out of order. */
  readonly buried: Buried
  /** Blocks that do not stand where they were recorded: told out of order, it may be, and not gone. They are looked for. */
  readonly misplaced: Chain
  /** The number of the last question to the node. One number, one question. */
  readonly asked: number
  /** Questions in a row that went unanswered. */
  readonly tries: number
  /** What could not be read on from, until it is known where things go on: then that is a gap. */
  readonly lost: { readonly from: string; readonly cause: ChainError } | null
  /** What this very step has to tell. */
  readonly news: readonly AcceptanceChange[]
  readonly gap: Gap | null
}

export type AcceptanceEvent =
  | { readonly type: 'opened' | 'closed' | 'networkChanged' | 'retryDue' }
  | { readonly type: 'told'; readonly told: Told; readonly at: number }
  | { readonly type: 'sinkAnswered'; readonly asked: number; readonly sink: string; readonly at: number }
  | { readonly type: 'pulled'; readonly asked: number; readonly page: ChainStep; readonly at: number }
  | { readonly type: 'failed'; readonly asked: number; readonly error: ChainError; readonly at: number }
  /** The node has the question and will not answer it: it does not know the block, or no longer. */
  | { readonly type: 'refused'; readonly asked: number; readonly error: ChainError; readonly at: number }

/** A listener who knows the chain up to a block, and nothing since. */
export const knownUpTo = (hash: string): Acceptance => ({
  ...NOTHING_ACCEPTED,
  chain: [{ hash, accepted: [] }],
  verified: hash,
  past: 'told',
})

/** Nothing was heard yet. */
export const NOTHING_ACCEPTED: Acceptance = {
  phase: { step: 'idle' },
  chain: [],
  verified: null,
  order: 'unproven',
  past: 'untold',
  buried: NONE_BURIED,
  misplaced: [],
  asked: 0,
  tries: 0,
  lost: null,
  news: [],
  gap: null,
}
