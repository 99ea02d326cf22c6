import { coinOfDraft, createDraft, totalOf, type Coin, type Draft } from './draft.js'
import type { FeePolicy } from './fee.js'
import { createFrame, roomOf } from './frame.js'
import { settle } from './settle.js'

/** Coins few enough for one transaction, and the transactions that must go before it. */
export interface Gathered {
  readonly earlier: readonly Draft[]
  readonly coins: readonly Coin[]
}

/**
 * Moves coins together until at most `room` are left, as many at a time as a transaction comfortably spends, first come
 * first served: what was moved waits at the end, so that a second generation begins only when the first is through.
 * Undefined where the fees would eat a move up.
 */
export function gather(coins: readonly Coin[], room: number, policy: FeePolicy): Gathered | undefined {
  const earlier: Draft[] = []
  let waiting = coins
  while (waiting.length > room) {
    const draft = moveTogether(waiting, policy)
    if (draft === undefined) return undefined
    earlier.push(draft)
    waiting = [...waiting.slice(draft.coins.length), coinOfDraft(draft)]
  }
  return { earlier, coins: waiting }
}

/**
 * One transaction that makes one coin of the first of `coins`. It goes to the owner of the first: who can sign this
 * transaction can sign the next, even if the change of the payment goes to somebody else.
 */
function moveTogether(coins: readonly Coin[], policy: FeePolicy): Draft | undefined {
  const [first] = coins
  if (first === undefined) return undefined
  const frame = createFrame([], first.scriptPublicKey)
  const moved = coins.slice(0, roomOf(frame))
  const settlement = settle(frame, totalOf(moved), policy)
  return settlement.kind === 'settled' ? createDraft(frame, moved, settlement) : undefined
}
