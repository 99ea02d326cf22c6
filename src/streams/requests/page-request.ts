import {
  catchError,
  defer,
  filter,
  from,
  map,
  of,
  startWith,
  switchMap,
  take,
  type Observable,
  distinctUntilChanged,
  takeWhile,
  timer,
} from 'rxjs'
import { toChainError, type ChainError } from '../../errors/chain-error.js'
import type { PlatformStorage, Platform } from '../../platform/port.js'
import type { NodeLink } from '../session/node-link.js'
import type { PaymentRequestSettings, PaymentRequests, RequestedPayment } from './requests.js'
import { isSameStored, isStored, readTerms, type StoredPaymentRequest } from './terms.js'
import { toPaymentUri, type PaymentUriFields } from '../../model/payment-uri.js'
import type { PaymentRequestState } from './state.js'

/** What a page has of a request: a stored or an opened one, settings of a new one, or nothing yet. */
export type RequestArgument = StoredPaymentRequest | PaymentRequestSettings | RequestedPayment | null | undefined

/** A request of a page, or why there is none. */
interface OpenedRequest {
  readonly request: RequestedPayment | null
  readonly error: ChainError | null
}

export const NOT_OPENED: OpenedRequest = { request: null, error: null }

type OpenRequestDeps = Pick<NodeLink, 'session$' | 'autoConnect' | 'platform'> & Pick<PaymentRequests, 'create'>

/** The stored form of an argument that has one. */
export function storedOf(given: RequestArgument): StoredPaymentRequest | undefined {
  if (given === null || given === undefined) return undefined
  if ('stored' in given) return given.stored
  return isStored(given) ? given : undefined
}

/** Whether two arguments are the same: a page that reads its order again gets a copy of the stored request. */
export const isSameArgument = (before: RequestArgument, now: RequestArgument): boolean =>
  before === now || (isPlain(before) && isPlain(now) && isSameStored(before, now))

/** Whether it is a stored request itself, which is plain JSON. */
const isPlain = (given: RequestArgument): given is StoredPaymentRequest =>
  given !== null && given !== undefined && storedOf(given) === given

/**
 * Opens a request, or creates one once the page is connected; with a key, that of the page's storage where it has one.
 * Never errors.
 */
export const openRequest$ = (
  deps: OpenRequestDeps,
  given: RequestArgument,
  storageKey?: string,
): Observable<OpenedRequest> =>
  defer(() => {
    if (given === null || given === undefined) return of(NOT_OPENED)
    const request$ =
      'stored' in given ? of(given) : isStored(given) ? from(deps.create(given)) : kept$(deps, given, storageKey)
    return request$.pipe(map((request): OpenedRequest => ({ request, error: null })))
  }).pipe(
    startWith(NOT_OPENED),
    catchError((cause: unknown) =>
      of({ request: null, error: toChainError(cause, 'The payment request could not be created') }),
    ),
  )

/** The request of the page's storage, else a new one, which is kept there. */
function kept$(
  { create, session$, autoConnect, platform: { storage } }: OpenRequestDeps,
  settings: PaymentRequestSettings,
  storageKey: string | undefined,
): Observable<RequestedPayment> {
  const read = (): StoredPaymentRequest | undefined =>
    storageKey === undefined || storage === null ? undefined : readKept(storage, storageKey)
  const kept = read()
  if (kept !== undefined) return from(create(kept))
  autoConnect()
  return session$.pipe(
    filter((session) => session !== null),
    take(1),
    switchMap(() => create(settings)),
    switchMap((created) => {
      const other = read() // another tab was faster
      if (other !== undefined) return create(other)
      if (storageKey !== undefined) storage?.set(storageKey, JSON.stringify(created.stored))
      return of(created)
    }),
  )
}

/** Undefined where there is none, or text that this library did not write. */
function readKept(storage: PlatformStorage, key: string): StoredPaymentRequest | undefined {
  try {
    const stored = JSON.parse(storage.get(key) ?? 'null') as unknown
    if (typeof stored !== 'object' || stored === null || !isStored(stored)) return undefined
    return readTerms(stored).terms === null ? undefined : stored
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const SECOND = 1_000

/**
 * The ms until a time, in whole seconds rounded up: now, then each second until 0. It follows the clock of the machine,
 * so that it is right after a sleep too.
 */
export const remaining$ = (
  expiresAt: number,
  { now, scheduler }: Pick<Platform, 'now' | 'scheduler'>,
): Observable<number> =>
  timer(0, SECOND, scheduler).pipe(
    map(() => Math.max(0, Math.ceil((expiresAt - now()) / SECOND) * SECOND)),
    takeWhile((remaining) => remaining > 0, true),
    distinctUntilChanged(),
  )

/** Bytes of a QR code of version 10 and level M; larger ones are hard to scan from a screen. */
const CAPACITY = 213

/**
 * The URI of a payment for a QR code: message, then label are cut until it fits. Throws `ChainError`
 * (`invalid-argument`) as `toPaymentUri` does.
 */
export function toQrText({ message = '', label = '', ...fields }: PaymentUriFields): string {
  const texts = { label: Array.from(label), message: Array.from(message) }
  for (;;) {
    const uri = toPaymentUri({ ...fields, label: join(texts.label), message: join(texts.message) })
    if (uri.length <= CAPACITY) return uri
    const longest = texts.message.length > 0 ? texts.message : texts.label
    longest.pop()
  }
}

/** No parameter without a text. */
const join = (characters: readonly string[]): string | undefined =>
  characters.length === 0 ? undefined : characters.join('').trimEnd()

/** The state of a request that is not followed yet: on a server, and before the first look. */
export const UNKNOWN_REQUEST: PaymentRequestState = {
  status: 'waiting',
  received: 0n,
  pending: 0n,
  confirmed: 0n,
  missing: 0n,
  excess: 0n,
  refunded: 0n,
  isLate: false,
  isExpired: false,
  wasReverted: false,
  payments: [],
  freshness: 'unknown',
}
