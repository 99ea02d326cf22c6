import { EMPTY, defer, filter, from, interval, merge, switchMap, take, type Observable } from 'rxjs'
import { ChainWalletError, isPaying, unknownOutcome } from '../../errors/wallet-error.js'
import type { WalletEnvironment } from '../environment.js'

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
