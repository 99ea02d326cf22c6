import { Observable, Subject, defer, distinctUntilChanged, mergeMap, share, takeUntil, tap, timer } from 'rxjs'
import type { NodeLink } from '../session/node-link.js'
import { createMachine } from '../machine.js'
import { createPlacement, type Placement } from '../placement.js'
import type { Chain } from './chain.js'
import type { AcceptanceChange, Gap } from './change.js'
import { isSameStretch } from './gap.js'
import { inputs$ } from './inputs.js'
import { NOTHING_ACCEPTED, knownUpTo, type Acceptance } from './phases.js'
import { reduceAcceptance } from './reduce-acceptance.js'

/** How long, in ms, the cursor is kept after the last listener: one that comes back at once has missed nothing. */
const LINGER = 1_000

/** What the virtual chain accepts and takes back. */
export interface AcceptanceStreams {
  /**
   * Every change since the first listener came, in the order of the chain: a reorg first takes back what removed chain
   * blocks had accepted, then accepts anew. What was accepted during an outage follows once it is over, and nothing is
   * said twice; what could not be made whole is in `gaps$`. Hot and shared; replays nothing, never errors, completes with
   * the engine. Source: the node's `virtual-chain-changed`, subscribed to while anyone listens, and, where that leaves a
   * doubt, `getVirtualChainFromBlock`.
   */
  readonly changes$: Observable<AcceptanceChange>
  /**
   * The same for one who has heard of everything up to the chain block `hash`: what was accepted since comes first. Shared
   * by the subscribers of one call; its first one begins at `hash`. Promises else what `changes$` promises.
   */
  readonly changesSince$: (hash: string) => Observable<AcceptanceChange>
  /**
   * What is missing from `changes$`, at the moment at which it is known where things go on: what follows the gap is told
   * after it. What several streams miss alike is said once. Hot and shared; replays nothing, never errors, completes with
   * the engine; asks the node for nothing.
   */
  readonly gaps$: Observable<Gap>
  /** What is remembered of the chain at the moment, by each stream that someone listens to. */
  readonly chains: () => readonly Chain[]
  /** Whether the node tells of the virtual chain. */
  readonly placement: Placement
}

export type AcceptanceDeps = Pick<
  NodeLink,
  'session$' | 'network$' | 'placed$' | 'events$' | 'missed$' | 'call' | 'want' | 'ended$' | 'platform'
>

export function createAcceptance(node: AcceptanceDeps): AcceptanceStreams {
  const found$ = new Subject<Gap>()
  const remembered = new Map<symbol, Chain>()
  node.ended$.subscribe(() => found$.complete())

  const statesFrom$ = (initial: Acceptance): Observable<Acceptance> =>
    defer(() => {
      const stream = Symbol('stream')
      return states$(initial, node).pipe(
        tap({
          next: ({ chain, gap }) => {
            remembered.set(stream, chain)
            if (gap !== null) found$.next(gap)
          },
          finalize: () => remembered.delete(stream),
        }),
      )
    })
  return {
    changes$: toChanges$(statesFrom$(NOTHING_ACCEPTED), node),
    changesSince$: (hash) => toChanges$(statesFrom$(knownUpTo(hash)), node),
    gaps$: found$.pipe(distinctUntilChanged(isSameStretch), share()),
    chains: () => [...remembered.values()],
    placement: createPlacement(node, { type: 'virtual-chain-changed', includeAcceptedTransactionIds: true }),
  }
}

/** What is known of the chain, from `initial` on. Cold: each subscription begins there. */
const states$ = (initial: Acceptance, node: AcceptanceDeps): Observable<Acceptance> =>
  new Observable<Acceptance>((subscriber) => {
    const machine = createMachine(initial, reduceAcceptance)
    subscriber.add(machine.state$.subscribe(subscriber))
    subscriber.add(inputs$(machine.state$, node).subscribe((event) => machine.dispatch(event)))
  })

/** The changes that the states tell of; the states are shared, and kept for a little while after the last listener. */
function toChanges$(
  states$: Observable<Acceptance>,
  { ended$, platform }: Pick<NodeLink, 'ended$' | 'platform'>,
): Observable<AcceptanceChange> {
  const shared$ = states$.pipe(
    takeUntil(ended$),
    share({ resetOnRefCountZero: () => timer(LINGER, platform.scheduler) }),
  )
  return shared$.pipe(mergeMap(({ news }) => news))
}
