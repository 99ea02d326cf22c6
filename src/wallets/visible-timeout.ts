import { EMPTY, defer, firstValueFrom, interval, map, merge, switchMap, take, takeLast } from 'rxjs'
import { ChainWalletError } from '../errors/wallet-error.js'
import type { WalletEnvironment } from './environment.js'

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
