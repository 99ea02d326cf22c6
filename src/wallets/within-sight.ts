import { EMPTY, defer, firstValueFrom, interval, map, merge, switchMap, take, takeLast } from 'rxjs'
import { ChainWalletError } from '../errors/wallet-error.js'
import type { Surroundings } from './surroundings.js'

/** How long, in seconds, an answer that needs no human is waited for. */
const PATIENCE = 10

/**
 * An answer that needs no human, bounded in time: the extension behind a page may be dead. Only time in which the page is
 * seen counts, since one of the wallets keeps the calls of a hidden page until it is shown.
 */
export function withinSight<T>(
  { platform }: Surroundings,
  operation: string,
  answer: () => Promise<T>,
  seconds = PATIENCE,
): Promise<T> {
  const late$ = platform.visible$.pipe(
    switchMap((isVisible) => (isVisible ? interval(1_000, platform.scheduler) : EMPTY)),
    take(seconds),
    takeLast(1),
    map(() => {
      throw silent(operation, seconds)
    }),
  )
  return firstValueFrom(merge(defer(answer), late$))
}

const silent = (operation: string, seconds: number): ChainWalletError =>
  new ChainWalletError(operation, new Error(`The wallet said nothing for ${seconds} s`), {
    code: 'timeout',
    hint: 'Reload the page: the wallet may have been updated or switched off.',
  })
