import { toOutpointKey } from '../../../src/model/utxo.js'
import type { RequestEvent, SeenPayment } from '../../../src/streams/requests/record.js'
import type { KnownPayment, RequestFacts } from '../../../src/streams/requests/state.js'
import { PAYMENTS } from './request-history.js'

/** The facts after all events, each from the whole list: what a fresh computation begins with. */
export function factsOf(events: readonly RequestEvent[]): { known: readonly KnownPayment[]; facts: RequestFacts } {
  const chain = events.filter((event) => event.type === 'chain')
  const isLooked = events.some(({ type }) => type === 'mempool')
  const isUnknown = !isLooked || chain.length === 0
  return {
    known: PAYMENTS.flatMap((one) => knownOf(one, events) ?? []),
    facts: {
      tip: chain.at(-1)?.tip ?? 0n,
      now: Math.max(0, ...timesOf(events)),
      wasReverted: PAYMENTS.some((one) => revertedAt(one, events).length > 0),
      freshness: isUnknown ? 'unknown' : chain.at(-1)?.isLive === true ? 'fresh' : 'stale',
    },
  }
}

const timesOf = (events: readonly RequestEvent[]): readonly number[] =>
  events.flatMap((event) => ('at' in event ? [event.at] : []))

const keyOf = (output: SeenPayment): string => toOutpointKey(output.outpoint)
const isShown = (event: RequestEvent, one: SeenPayment): boolean =>
  (event.type === 'mempool' && event.outputs.some((output) => keyOf(output) === keyOf(one))) ||
  (event.type === 'chain' && event.credits.some((credit) => keyOf(credit) === keyOf(one)))

/** The score of the accepting block after the first `count` events; null where it is not accepted. */
function acceptedAfter(one: SeenPayment, events: readonly RequestEvent[], count: number): bigint | null {
  let accepted: bigint | null = null
  for (const event of events.slice(0, count)) {
    if (event.type !== 'chain') continue
    if (event.rollback !== null && accepted !== null && accepted > event.rollback) accepted = null
    accepted = event.credits.find((credit) => keyOf(credit) === keyOf(one))?.blueScore ?? accepted
  }
  return accepted
}

/** The positions of the chain events that show that a reorg has taken it back. */
function revertedAt(one: SeenPayment, events: readonly RequestEvent[]): readonly number[] {
  const positions: number[] = []
  let isOpen = false // undone, and the branch is not followed to its end
  for (const [at, event] of events.entries()) {
    const before = acceptedAfter(one, events, at)
    const after = acceptedAfter(one, events, at + 1)
    isOpen = (isOpen || before !== null) && after === null
    if (isOpen && event.type === 'chain' && event.isLive) {
      positions.push(at)
      isOpen = false
    }
  }
  return positions
}

function knownOf(one: SeenPayment, events: readonly RequestEvent[]): KnownPayment | undefined {
  const first = events.findIndex((event) => isShown(event, one))
  const event = events[first]
  if (event === undefined) return undefined
  const acceptedAt = acceptedAfter(one, events, events.length)
  const before = timesOf(events.slice(0, first).filter(({ type }) => type === event.type)).at(-1) ?? 0
  // the history's timestamps are 300 ms older than the step that brings them
  const seenAfter = event.type === 'chain' ? Math.max(before, event.at - 300) : before
  const { outpoint, amount, counterparties } = one
  const known = { outpoint, amount, counterparties, seenAfter }
  if (acceptedAt !== null) return { ...known, acceptance: { blueScore: acceptedAt, depthBefore: 0n } }
  return isDropped(one, events) ? undefined : { ...known, acceptance: null }
}

/** Whether two looks did not list it, and two steps of the chain between them went beyond the first one. */
function isDropped(one: SeenPayment, events: readonly RequestEvent[]): boolean {
  const reverts = revertedAt(one, events)
  const shown = lastIndex(events, (event, at) => isShown(event, one) && !isUndecided(one, events, at))
  const after = events.slice(Math.max(shown, reverts.at(-1) ?? -1) + 1)
  if (isUndecided(one, events, events.length - 1)) return false
  const first = after.findIndex((event) => event.type === 'mempool')
  const look = after[first]
  if (look?.type !== 'mempool') return false
  const beyond = after
    .map((event, at) => ({ event, at }))
    .filter(({ event, at }) => at > first && event.type === 'chain' && event.tip > look.sink)
  const second = beyond[1]?.at
  return second !== undefined && after.slice(second).some((event) => event.type === 'mempool')
}

/** Whether the chain alone decides after that event: it is accepted, or a reorg is not followed to its end. */
function isUndecided(one: SeenPayment, events: readonly RequestEvent[], at: number): boolean {
  const undone = lastIndex(
    events,
    (_, index) =>
      index <= at && acceptedAfter(one, events, index) !== null && acceptedAfter(one, events, index + 1) === null,
  )
  if (undone < 0 || acceptedAfter(one, events, at + 1) !== null) return false
  return !events.slice(undone, at + 1).some((event) => event.type === 'chain' && event.isLive)
}

const lastIndex = (events: readonly RequestEvent[], isFound: (event: RequestEvent, at: number) => boolean): number =>
  events.reduce((last, event, at) => (isFound(event, at) ? at : last), -1)
