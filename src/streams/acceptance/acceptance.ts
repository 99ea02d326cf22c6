import { Observable, Subject, defer, distinctUntilChanged, mergeMap, share, takeUntil, tap, timer } from 'rxjs'
import type { NodeLink } from '../session/node-link.js'
import { createMachine } from '../machine.js'
import { createPlacement, type Placement } from '../placement.js'
import type { Chain } from './chain.js'
import type { AcceptanceChange, Gap } from './change.js'
import { isSameGap } from './gap.js'
import { inputs$ } from './inputs.js'
import { INITIAL_ACCEPTANCE, acceptanceAfter, type Acceptance } from './phases.js'
import { reduceAcceptance } from './reduce-acceptance.js'

/** How long, in ms, the cursor is kept after the last subscriber, so that an immediate resubscription has no gap. */
const LINGER = 1_000

/** Transactions accepted and reverted by the virtual chain. */
export interface AcceptanceStreams {
  /**
   * Every change since the first subscription, in chain order, each once: a reorg first reverts what the removed chain
   * blocks accepted, then emits what the added ones accept. Changes of an outage are backfilled after it; what cannot
   * be backfilled is reported in `gaps$`. Hot and shared; replays nothing, never errors, completes with the engine.
   * Source: `virtual-chain-changed`, subscribed while there are subscribers, and `getVirtualChainFromBlock` where a
   * notification is ambiguous.
   */
  readonly changes$: Observable<AcceptanceChange>
  /**
   * The same, starting after the chain block `hash`: what was accepted since is backfilled first. Shared by the
   * subscribers of one call; the first starts at `hash`. Otherwise like `changes$`.
   */
  readonly changesSince$: (hash: string) => Observable<AcceptanceChange>
  /**
   * What is missing from `changes$`, emitted once the block after the gap is known and before its changes. A gap of
   * several streams is emitted once. Hot and shared; replays nothing, never errors, completes with the engine; sends no
   * requests.
   */
  readonly gaps$: Observable<Gap>
  /** The remembered part of the chain of each subscribed stream. */
  readonly chains: () => readonly Chain[]
  /** Whether the virtual chain is subscribed at the node. */
  readonly placement: Placement
}

export type AcceptanceDeps = Pick<
  NodeLink,
  'session$' | 'network$' | 'placed$' | 'events$' | 'malformed$' | 'call' | 'acquire' | 'ended$' | 'platform'
>

export function createAcceptance(node: AcceptanceDeps): AcceptanceStreams {
  const gapsFound$ = new Subject<Gap>()
  const chainsByStream = new Map<symbol, Chain>()
  node.ended$.subscribe(() => gapsFound$.complete())

  const statesFrom$ = (initial: Acceptance): Observable<Acceptance> =>
    defer(() => {
      const stream = Symbol('stream')
      return states$(initial, node).pipe(
        tap({
          next: ({ chain, gap }) => {
            chainsByStream.set(stream, chain)
            if (gap !== null) gapsFound$.next(gap)
          },
          finalize: () => chainsByStream.delete(stream),
        }),
      )
    })
  return {
    changes$: toChanges$(statesFrom$(INITIAL_ACCEPTANCE), node),
    changesSince$: (hash) => toChanges$(statesFrom$(acceptanceAfter(hash)), node),
    gaps$: gapsFound$.pipe(distinctUntilChanged(isSameGap), share()),
    chains: () => [...chainsByStream.values()],
    placement: createPlacement(node, { type: 'virtual-chain-changed', includeAcceptedTransactionIds: true }),
  }
}

/** The state of the chain. Cold: each subscription starts from `initial`. */
const states$ = (initial: Acceptance, node: AcceptanceDeps): Observable<Acceptance> =>
  new Observable<Acceptance>((subscriber) => {
    const machine = createMachine(initial, reduceAcceptance)
    subscriber.add(machine.state$.subscribe(subscriber))
    subscriber.add(inputs$(machine.state$, node).subscribe((event) => machine.dispatch(event)))
  })

/** The changes of the states. The states are shared and kept for `LINGER` ms after the last subscriber. */
function toChanges$(
  states$: Observable<Acceptance>,
  { ended$, platform }: Pick<NodeLink, 'ended$' | 'platform'>,
): Observable<AcceptanceChange> {
  const shared$ = states$.pipe(
    takeUntil(ended$),
    share({ resetOnRefCountZero: () => timer(LINGER, platform.scheduler) }),
  )
  return shared$.pipe(mergeMap(({ changes }) => changes))
}
