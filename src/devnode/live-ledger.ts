import type { NodeNotification, NotificationType } from '../node/messages/records.js'
import type { Ledger, Step, Expected } from './ledger/ledger.js'
import { invalidArgument } from '../errors/chain-error.js'

/** Called with the notifications of one ledger step, in the node's order. */
type StepHandler = (events: readonly NodeNotification[]) => void

/** A ledger with a clock that notifies subscribers of each step. */
export interface LiveLedger {
  readonly ledger: Ledger
  /** Unix milliseconds. */
  now(): number
  /** Applies one step at the current time, notifies the subscribers and returns the step's result. */
  apply<T>(step: (ledger: Ledger, now: number) => Step<T>): T
  /** Calls `handler` for every later step until the returned function is called. */
  subscribe(handler: StepHandler): () => void
}

export function createLiveLedger(ledger: Ledger, now: () => number): LiveLedger {
  const handlers = new Set<StepHandler>()
  return {
    ledger,
    now,
    apply(step) {
      const { result, events } = step(ledger, now())
      for (const handler of handlers) handler(events)
      return result
    },
    subscribe(handler) {
      handlers.add(handler)
      return () => handlers.delete(handler)
    },
  }
}

/** The number of notifications by type; a type without notifications is absent. */
export type EventCounts = Readonly<Partial<Record<NotificationType, number>>>

/** The state of a client that was connected from the start and has received every notification. */
export interface ExpectedState extends Expected {
  /** The notifications since the start to a client that is subscribed to everything, for all addresses. */
  events(): EventCounts
}

/** Counts notifications from now on. */
export function createExpectedState(live: LiveLedger): ExpectedState {
  const counts: Partial<Record<NotificationType, number>> = {}
  live.subscribe((events) => {
    for (const { type } of events) counts[type] = (counts[type] ?? 0) + 1
  })
  return { ...live.ledger.expected, events: () => ({ ...counts }) }
}

/** The nodes of one simulated network: a devnode, its forks, and theirs. They have the same genesis. */
export interface Peers {
  /** The extra data of the blocks of the next fork, hex. */
  nextExtraData(): string
  add(node: object, ledger: Ledger): void
  /** Throws `ChainError` (`invalid-argument`) for a node of another network. */
  ledgerOf(node: object): Ledger
}

export function createPeers(): Peers {
  const ledgers = new WeakMap<object, Ledger>()
  let forks = 0
  return {
    nextExtraData: () => (++forks).toString(16).padStart(8, '0'),
    add: (node, ledger) => void ledgers.set(node, ledger),
    ledgerOf(node) {
      const ledger = ledgers.get(node)
      if (ledger !== undefined) return ledger
      throw invalidArgument(
        'peer',
        'The peer is a node of another network',
        'Use a devnode that fork() of this network has returned: peers have the same genesis.',
      )
    },
  }
}
