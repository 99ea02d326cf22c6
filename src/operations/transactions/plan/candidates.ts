import { addStorage, type StorageTotals } from '../../../model/storage-mass.js'
import { gather, type Gathered } from './compound.js'
import { totalOf, type Coin } from './draft.js'
import { feeOf, type FeePolicy } from './fee.js'
import { massesOf, roomOf, type Frame } from './frame.js'

/** Coins that might pay: what they come to, and, if they are chosen, how they get into one transaction. */
export interface Candidate {
  readonly spent: StorageTotals
  gathered(): Gathered
}

/** What there is to choose from. */
export interface Choice {
  /** Spent in any case. */
  readonly fixed: readonly Coin[]
  /** Sorted, the largest first. */
  readonly coins: readonly Coin[]
}

/** A choice, and what it is to pay for. */
interface Search extends Choice {
  readonly frame: Frame
  readonly policy: FeePolicy
  /** What the fixed coins come to. */
  readonly base: StorageTotals
  /** How many coins have room in one transaction beside them. */
  readonly room: number
}

/** So many coins have 1,024 choices, which are gone through in some milliseconds. */
const FEW = 10

/**
 * Sets of coins that cover a frame and its least fee, the best first.
 * - The fixed coins alone.
 * - As few as possible; of those, all but one the largest, and the last the smallest that will do: little change.
 * - Then one more, two, four, eight more, up to all: for change that is too small to be an output.
 * - Then the smallest coins: small inputs make up for the storage mass of small outputs.
 * - Then, where there are few coins, every choice of them: nobody is refused who could pay.
 *
 * Where coins are fixed, all goes into one transaction: nothing is moved together first.
 */
export function* candidates(frame: Frame, { fixed, coins }: Choice, policy: FeePolicy): Generator<Candidate> {
  const room = Math.max(0, roomOf(frame) - fixed.length)
  const search: Search = { frame, policy, fixed, coins, base: totalOf(fixed), room }
  yield* covering(search, search.base, () => fixed)
  for (const count of growingCounts(search)) {
    if (count <= room) yield* ofCount(search, count)
    else if (fixed.length === 0) yield* gatheredCandidate(search, count)
  }
  yield* smallest(search)
  if (coins.length <= FEW) yield* everyChoice(search)
}

/** One transaction's worth: the largest but one, completed by each of the others in turn, the smallest first. */
function* ofCount(search: Search, count: number): Generator<Candidate> {
  const { coins, base, fixed } = search
  const largest = coins.slice(0, count - 1)
  const sum = addStorage(base, totalOf(largest))
  for (let at = coins.length - 1; at >= count - 1; at--) {
    const last = coins[at]
    if (last !== undefined) yield* covering(search, addStorage(sum, last.stored), () => [...fixed, ...largest, last])
  }
}

/** More than one transaction's worth, moved together first. */
function* gatheredCandidate({ frame, coins, room, policy }: Search, count: number): Generator<Candidate> {
  const gathered = gather(coins.slice(0, count), room, policy)
  if (gathered === undefined) return
  const spent = totalOf(gathered.coins)
  if (covers(frame, spent, policy)) yield { spent, gathered: () => gathered }
}

function* smallest(search: Search): Generator<Candidate> {
  const { fixed, coins, room } = search
  let spent = search.base
  for (let count = 1; count <= Math.min(room, coins.length); count++) {
    const next = coins[coins.length - count]
    if (next === undefined) return
    spent = addStorage(spent, next.stored)
    yield* covering(search, spent, () => [...fixed, ...coins.slice(-count).reverse()])
  }
}

function* everyChoice(search: Search): Generator<Candidate> {
  const { fixed, coins, base } = search
  for (let choice = 1; choice < 2 ** coins.length; choice++) {
    const chosen = coins.filter((_, at) => (choice >> at) & 1)
    yield* covering(search, addStorage(base, totalOf(chosen)), () => [...fixed, ...chosen])
  }
}

/** One transaction's worth, if it is enough. */
function* covering(
  { frame, policy }: Search,
  spent: StorageTotals,
  chosen: () => readonly Coin[],
): Generator<Candidate> {
  if (covers(frame, spent, policy)) yield { spent, gathered: () => ({ earlier: [], coins: chosen() }) }
}

/** The least number of coins, one at least, that can cover the frame, then more and more, up to all. */
function* growingCounts(search: Search): Generator<number> {
  const { length } = search.coins
  const fewest = fewestOf(search)
  if (fewest === undefined) return
  yield fewest
  for (let more = 1; fewest + more < length; more *= 2) yield fewest + more
  if (fewest < length) yield length
}

function fewestOf({ frame, coins, policy, base }: Search): number | undefined {
  let spent = base
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
