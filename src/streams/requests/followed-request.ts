import {
  BehaviorSubject,
  defer,
  distinctUntilChanged,
  finalize,
  map,
  timer,
  type Observable,
  type Subscription,
} from 'rxjs'
import { LONGEST_TIMER } from '../../loading/abortable.js'
import type { Platform } from '../../platform/port.js'
import { shareLatest } from '../share-latest.js'
import type { RequestEvent, RequestRecord } from './record.js'
import { reduceRequest, toState, unknownRequest } from './reduce-request.js'
import type { PaymentRequestState, RequestPayment } from './state.js'
import type { RequestTerms } from './terms.js'

/** A request with what is known of it, which it keeps while nothing follows it. */
export interface FollowedRequest {
  readonly terms: RequestTerms
  /** The current record. */
  readonly record: () => RequestRecord
  /** The state of now. */
  readonly state: () => PaymentRequestState
  readonly dispatch: (event: RequestEvent) => void
  /** Replays, emits only changes. Followed while it has subscribers. */
  readonly state$: Observable<PaymentRequestState>
}

export interface FollowedRequestDeps {
  readonly platform: Pick<Platform, 'now' | 'scheduler'>
  /** Follows mempool and chain for a request, until the result is unsubscribed. */
  readonly follow: (request: FollowedRequest) => Subscription
  readonly ended$: Observable<void>
}

export function createFollowedRequest(
  terms: RequestTerms,
  { platform, follow, ended$ }: FollowedRequestDeps,
): FollowedRequest {
  const record$ = new BehaviorSubject(unknownRequest(platform.now()))
  const dispatch = (event: RequestEvent): void => {
    const next = reduceRequest(record$.value, event)
    if (next !== record$.value) record$.next(next)
  }
  const tick = (): void => dispatch({ type: 'clock', at: platform.now() })
  const request: FollowedRequest = {
    terms,
    record: () => record$.value,
    state: () => toState(terms, record$.value),
    dispatch,
    state$: defer(() => {
      tick()
      const followed = follow(request)
      /** A later expiry shows with a step of the chain. */
      const after = (ms: number, run: () => void): void => {
        if (ms < LONGEST_TIMER) followed.add(timer(Math.max(0, ms), platform.scheduler).subscribe(run))
      }
      const untilExpiry = terms.expiresAt - platform.now()
      after(untilExpiry, tick)
      after(untilExpiry + FOLLOWED_AFTER_EXPIRY, () => followed.unsubscribe())
      return record$.pipe(finalize(() => followed.unsubscribe()))
    }).pipe(
      map((record) => toState(terms, record)),
      distinctUntilChanged(isSameState),
      shareLatest(ended$),
    ),
  }
  return request
}

/** Ms for which an expired request is followed: late payments are the most frequent complaint of shops. */
const FOLLOWED_AFTER_EXPIRY = 86_400_000

/** Whether two states say the same. */
const isSameState = (left: PaymentRequestState, right: PaymentRequestState): boolean =>
  isSameRecord({ ...left, payments: null }, { ...right, payments: null }) &&
  left.payments.length === right.payments.length &&
  left.payments.every((payment, at) => isSamePayment(payment, right.payments[at]))

const isSamePayment = (left: RequestPayment, right: RequestPayment | undefined): boolean =>
  right !== undefined &&
  isSameRecord({ ...left, counterparties: null }, { ...right, counterparties: null }) &&
  left.counterparties.join() === right.counterparties.join()

function isSameRecord<Fields extends object>(left: Fields, right: Fields): boolean {
  const other = new Map(Object.entries(right))
  return Object.entries(left).every(([name, value]) => other.get(name) === value)
}
