import { distinctUntilChanged, of, switchMap } from 'rxjs'
import { computed, toValue, type ComputedRef, type MaybeRefOrGetter } from 'vue'
import { feature } from '../../../engine/core-parts.js'
import { requests } from '../../../engine/features/transfers.js'
import type { ChainError } from '../../../errors/chain-error.js'
import { toPaymentUri } from '../../../model/payment-uri.js'
import {
  NOT_OPENED,
  isSameArgument,
  openRequest$,
  storedOf,
  type RequestArgument,
  remaining$,
  UNKNOWN_REQUEST,
} from '../../../streams/requests/page-request.js'
import type { RequestedPayment } from '../../../streams/requests/requests.js'
import type { PaymentRequestState } from '../../../streams/requests/state.js'
import { readTerms } from '../../../streams/requests/terms.js'
import { toStream, useStream } from '../bridges/stream-refs.js'
import { useCore } from '../plugin/core.js'

export interface UsePaymentRequestOptions {
  /**
   * Where a new request is kept in the page's storage, one key for each order: after a reload, and in other tabs, it is
   * the same request. @default none
   */
  readonly storageKey?: string | undefined
}

export interface UsePaymentRequestReturn {
  /** How far the request is paid; `freshness` is `unknown` on a server and until the first look. */
  readonly state: ComputedRef<PaymentRequestState>
  /** For links; null until the request is known. */
  readonly uri: ComputedRef<string | null>
  /** Ms until it expires, in whole seconds; null on a server and until it is followed. */
  readonly remaining: ComputedRef<number | null>
  /** Null until it is opened. */
  readonly request: ComputedRef<RequestedPayment | null>
  /** Why it could not be created or opened; otherwise null. */
  readonly error: ComputedRef<ChainError | null>
}

/**
 * A payment request, which may change: a stored one, one that `requests.create` returned, or settings, of which one is
 * created once the page is connected. A copy of the same stored one is no change. Followed once a value is read.
 */
export function usePaymentRequest(
  request: MaybeRefOrGetter<RequestArgument>,
  { storageKey }: UsePaymentRequestOptions = {},
): UsePaymentRequestReturn {
  const core = useCore('usePaymentRequest')
  const deps = { ...core, ...feature(core, requests) }
  const opened$ = toStream(request).pipe(
    distinctUntilChanged(isSameArgument),
    switchMap((given) => openRequest$(deps, given, storageKey)),
  )
  const opened = useStream(opened$, NOT_OPENED)
  const current$ = toStream(() => opened.value.request)
  const state$ = current$.pipe(switchMap((current) => current?.state$ ?? of(UNKNOWN_REQUEST)))
  const left$ = current$.pipe(
    switchMap((current) => (current === null ? of(null) : remaining$(current.expiresAt, core.platform))),
  )
  const state = useStream(state$, UNKNOWN_REQUEST)
  const remaining = useStream<number | null>(left$, null)
  const read = computed(() => readTerms(storedOf(toValue(request)) ?? opened.value.request?.stored))
  return {
    state: computed(() => state.value),
    uri: computed(() => (read.value.terms === null ? null : toPaymentUri(read.value.terms))),
    remaining: computed(() => remaining.value),
    request: computed(() => opened.value.request),
    error: computed(() => opened.value.error ?? read.value.error),
  }
}
