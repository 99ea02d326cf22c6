import { catchError, defer, filter, from, map, of, startWith, switchMap, take, type Observable } from 'rxjs'
import { toChainError, type ChainError } from '../../errors/chain-error.js'
import type { PlatformStorage } from '../../platform/port.js'
import type { NodeLink } from '../session/node-link.js'
import type { PaymentRequestSettings, PaymentRequests, RequestedPayment } from './requests.js'
import { isSameStored, isStored, readTerms, type StoredPaymentRequest } from './terms.js'

/** What a page has of a request: a stored or an opened one, settings of a new one, or nothing yet. */
export type RequestArgument = StoredPaymentRequest | PaymentRequestSettings | RequestedPayment | null | undefined

/** A request of a page, or why there is none. */
export interface OpenedRequest {
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
