import { Observable, Subject, mergeMap, share, takeUntil, tap, timer } from 'rxjs'
import type { NodeLink } from '../session/node-link.js'
import { createMachine } from '../machine.js'
import type { AcceptanceChange, Gap } from './change.js'
import { inputs$ } from './inputs.js'
import { NOTHING_ACCEPTED, type Acceptance } from './phases.js'
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
  /** What is missing from `changes$`. Hot; replays nothing, never errors, completes with the engine; asks the node for nothing. */
  readonly gaps$: Observable<Gap>
  /** What is remembered of the chain at the moment; null while nobody listens. */
  readonly state: () => Acceptance | null
}

export function createAcceptance(node: AcceptanceDeps): AcceptanceStreams {
  const { platform, ended$ } = node
  const gaps$ = new Subject<Gap>()
  let latest: Acceptance | null = null
  ended$.subscribe(() => gaps$.complete())

  const states$ = new Observable<Acceptance>((subscriber) => {
    const machine = createMachine(NOTHING_ACCEPTED, reduceAcceptance)
    subscriber.add(machine.state$.subscribe(subscriber))
    subscriber.add(inputs$(machine.state$, node).subscribe((event) => machine.dispatch(event)))
    subscriber.add(() => {
      latest = null
    })
  }).pipe(
    tap((state) => {
      latest = state
      if (state.gap !== null) gaps$.next(state.gap)
    }),
    takeUntil(ended$),
    share({ resetOnRefCountZero: () => timer(LINGER, platform.scheduler) }),
  )
  return {
    changes$: states$.pipe(mergeMap(({ news }) => news)),
    gaps$: gaps$.asObservable(),
    state: () => latest,
  }
}

export type AcceptanceDeps = Pick<
  NodeLink,
  'session$' | 'placed$' | 'events$' | 'missed$' | 'call' | 'ended$' | 'platform'
>
