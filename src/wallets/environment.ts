import type { Platform } from '../platform/port.js'
import {
  switchMap,
  take,
  filter,
  fromEvent,
  merge,
  startWith,
  timer,
  type Observable,
  type ObservableInput,
  EMPTY,
  defer,
  firstValueFrom,
  interval,
  map,
  takeLast,
} from 'rxjs'
import { ChainWalletError } from '../errors/wallet-error.js'

/** The part of `window` that wallet detection uses. */
export interface Page {
  readonly document: { readonly readyState: string }
  readonly location: { readonly origin: string }
  addEventListener(type: string, listener: (event: Event) => void): void
  removeEventListener(type: string, listener: (event: Event) => void): void
  dispatchEvent(event: Event): boolean
}

/** The page with its wallets, and the clock. */
export interface WalletEnvironment {
  readonly page: Page
  readonly platform: Pick<Platform, 'scheduler' | 'visible$' | 'storage' | 'random'>
}

/**
 * Calls `start` after the first `ready$`. An unsubscribe before that prevents the call, so that an aborted operation
 * opens no window.
 */
export const whenReady = <T>(ready$: Observable<unknown>, start: () => ObservableInput<T>): Observable<T> =>
  ready$.pipe(take(1), switchMap(start))

/** Ms after which a page that never completes loading is treated as loaded, as in KasWare. */
const LOAD_TIMEOUT = 60_000

/** Emits once, when the page has loaded or after `LOAD_TIMEOUT`. */
export function loaded$({ page, platform }: WalletEnvironment): Observable<unknown> {
  const complete$ = fromEvent(page, 'load').pipe(
    startWith(undefined),
    filter(() => page.document.readyState === 'complete'),
  )
  return merge(complete$, timer(LOAD_TIMEOUT, platform.scheduler)).pipe(take(1))
}

/** Timeout in seconds of a call without a prompt. */
const TIMEOUT = 10

/**
 * A call without a prompt, with a timeout: the extension may have been updated or removed. Only time in which the page
 * is visible counts, because KasWare queues the calls of a hidden page.
 */
export function withVisibleTimeout<T>(
  { platform }: WalletEnvironment,
  operation: string,
  call: () => Promise<T>,
  seconds = TIMEOUT,
): Promise<T> {
  const timeout$ = platform.visible$.pipe(
    switchMap((isVisible) => (isVisible ? interval(1_000, platform.scheduler) : EMPTY)),
    take(seconds),
    takeLast(1),
    map(() => {
      throw timeoutError(operation, seconds)
    }),
  )
  return firstValueFrom(merge(defer(call), timeout$))
}

const timeoutError = (operation: string, seconds: number): ChainWalletError =>
  new ChainWalletError(operation, new Error(`The wallet did not respond for ${seconds} s`), {
    code: 'timeout',
    hint: 'Reload the page: the wallet may have been updated or disabled.',
  })
