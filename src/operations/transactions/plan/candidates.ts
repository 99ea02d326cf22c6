import { NO_STORAGE, addStorage, type StorageTotals } from '../../../model/storage-mass.js'
import { gather, type Gathered } from './compound.js'
import { totalOf, type Coin } from './draft.js'
import { feeOf, type FeePolicy } from './fee.js'
import { massesOf, roomOf, type Frame } from './frame.js'

/** Coins that might pay: what they come to, and, if they are chosen, how they get into one transaction. */
export interface Candidate {
  readonly spent: StorageTotals
  gathered(): Gathered
}

/**
 * Sets of coins that cover a frame and its least fee, the best first. `coins` are sorted, the largest first.
 * - As few as possible; of those, all but one the largest, and the last the smallest that will do: little change.
 * - Then one more, two, four, eight more, up to all: for change that is too small to be an output.
 * - Then the smallest coins: small inputs make up for the storage mass of small outputs.
 */
export function* candidates(frame: Frame, coins: readonly Coin[], policy: FeePolicy): Generator<Candidate> {
  const room = roomOf(frame)
  for (const count of growingCounts(frame, coins, policy)) {
    if (count <= room) yield* ofCount(frame, coins, count, policy)
    else yield* gatheredCandidate(frame, coins.slice(0, count), room, policy)
  }
  yield* smallest(frame, coins, room, policy)
}

/** One transaction's worth: the largest but one, completed by each of the others in turn, the smallest first. */
function* ofCount(frame: Frame, coins: readonly Coin[], count: number, policy: FeePolicy): Generator<Candidate> {
  const largest = coins.slice(0, count - 1)
  const sum = totalOf(largest)
  for (let at = coins.length - 1; at >= count - 1; at--) {
    const last = coins[at]
    if (last === undefined) continue
    const spent = addStorage(sum, last.stored)
    if (covers(frame, spent, policy)) yield { spent, gathered: () => ({ earlier: [], coins: [...largest, last] }) }
  }
}

/** More than one transaction's worth, moved together first. */
function* gatheredCandidate(
  frame: Frame,
  coins: readonly Coin[],
  room: number,
  policy: FeePolicy,
): Generator<Candidate> {
  const gathered = gather(coins, room, policy)
  if (gathered === undefined) return
  const spent = totalOf(gathered.coins)
  if (covers(frame, spent, policy)) yield { spent, gathered: () => gathered }
}

function* smallest(frame: Frame, coins: readonly Coin[], room: number, policy: FeePolicy): Generator<Candidate> {
  let spent = NO_STORAGE
  for (let count = 1; count <= Math.min(room, coins.length); count++) {
    const next = coins[coins.length - count]
    if (next === undefined) return
    spent = addStorage(spent, next.stored)
    if (covers(frame, spent, policy))
      yield { spent, gathered: () => ({ earlier: [], coins: coins.slice(-count).reverse() }) }
  }
}

/** The least number of coins that can cover the frame, then more and more, up to all. */
function* growingCounts(frame: Frame, coins: readonly Coin[], policy: FeePolicy): Generator<number> {
  const fewest = fewestOf(frame, coins, policy)
  if (fewest === undefined) return
  yield fewest
  for (let more = 1; fewest + more < coins.length; more *= 2) yield fewest + more
  if (fewest < coins.length) yield coins.length
}

function fewestOf(frame: Frame, coins: readonly Coin[], policy: FeePolicy): number | undefined {
  let spent = NO_STORAGE
  for (const [index, { stored }] of coins.entries()) {
    spent = addStorage(spent, stored)
    if (covers(frame, spent, policy)) return index + 1
  }
  return undefined
}

/** Whether coins reach outputs and fee, storage mass and moves left out: no set that fails this can pay. */
function covers(frame: Frame, spent: StorageTotals, policy: FeePolicy): boolean {
  const fee = feeOf({ ...massesOf(frame, spent, 0n), storage: 0n }, policy)
  return spent.amount >= frame.paid + frame.priorityFee + fee
}
