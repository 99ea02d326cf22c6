import {
  shareReplay,
  switchMap,
  timer,
  defer,
  map,
  retry,
  type Observable,
  EMPTY,
  filter,
  from,
  interval,
  merge,
  take,
} from 'rxjs'
import { ChainWalletError, isPaying, unknownOutcome } from '../../errors/wallet-error.js'
import { loaded$, type WalletEnvironment } from '../environment.js'
import { noAccountError, firstAccount } from '../read-snapshot.js'
import { invoke, type Provider } from '../provider.js'
import { fieldOf } from '../to-wallet-error.js'

/**
 * Ms after the page's load within which KasWare's page script sends the site's origin to the extension (`tabCheckin`).
 */
const CHECK_IN = 150

/**
 * Emits once KasWare has the site's origin. Before that it exposes no account to a permitted site, or the account of
 * the tab's previous site, and a prompt names no site and ends in a rejection.
 */
export const checkedIn$ = (environment: WalletEnvironment): Observable<unknown> =>
  loaded$(environment).pipe(
    switchMap(() => timer(CHECK_IN, environment.platform.scheduler)),
    shareReplay(1),
  )

const UNAUTHORISED = 4100

/**
 * The account that the user approves. Before its check-in KasWare rejects even an approved request, so the request is
 * retried once.
 */
export const requestAccount$ = (provider: Provider, { platform }: WalletEnvironment): Observable<string> =>
  defer(() => invoke(provider, 'connect', 'requestAccounts')).pipe(
    retry({
      count: 1,
      delay: (error) => {
        if (!isBeforeCheckIn(error)) throw error
        return timer(CHECK_IN, platform.scheduler)
      },
    }),
    map(toAccount),
  )

function isBeforeCheckIn(error: unknown): boolean {
  return error instanceof ChainWalletError && fieldOf(error.cause, 'code') === UNAUTHORISED
}

function toAccount(accounts: unknown): string {
  const account = firstAccount(accounts)
  if (account === null) throw noAccountError()
  return account
}

/** Where a page of this origin notes its prompt: the last one is in the wallet's window. */
const KEY = 'vue-chain:wallet-window'

/** Ms between two looks at the note. */
const POLL_INTERVAL = 5_000

/** Ms for which a replaced prompt is still awaited: the user may have confirmed it just before. */
const TIMEOUT = 30_000

/**
 * A call that opens KasWare's window. It has one: a prompt of another page replaces this one, whose promise then never
 * settles. Errors 30 s after a replacement by a page of this origin is noticed; pages of other origins cannot be seen.
 */
export const withOneWindow = <T>(
  environment: WalletEnvironment,
  operation: string,
  call: () => Promise<T>,
): Observable<T> => defer(() => merge(from(call()), replaced$(environment, operation))).pipe(take(1))

function replaced$({ platform }: WalletEnvironment, operation: string): Observable<never> {
  const { scheduler, visible$, storage, random } = platform
  if (storage === null) return EMPTY
  const note = String(random())
  return visible$.pipe(
    filter((isVisible) => isVisible), // KasWare queues the calls of a hidden page
    take(1),
    switchMap(() => {
      storage.set(KEY, note)
      return interval(POLL_INTERVAL, scheduler)
    }),
    filter(() => ![note, null].includes(storage.get(KEY))),
    take(1),
    switchMap(() => interval(TIMEOUT, scheduler)),
    switchMap(() => {
      throw replacedError(operation)
    }),
  )
}

function replacedError(operation: string): ChainWalletError {
  const cause = new Error("Another page called the wallet, which closed this page's window")
  return isPaying(operation)
    ? unknownOutcome(operation, cause)
    : new ChainWalletError(operation, cause, { code: 'aborted', hint: 'Call the operation again: nothing was signed.' })
}
