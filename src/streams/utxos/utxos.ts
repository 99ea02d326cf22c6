import { finalize, ignoreElements, merge, share, takeUntil, tap, timer, type Observable } from 'rxjs'
import { invalidArgument } from '../../errors/chain-error.js'
import type { NodeLink } from '../session/node-link.js'
import { createBooks } from './books.js'
import { followSession$ } from './follow-session.js'
import { LINGER, createHolds } from './holds.js'
import type { Keep, KeepDeps } from './keep.js'
import { createLedger, type LedgerDeps } from './ledger.js'
import { createOrders } from './orders.js'
import type { UtxoLedger, UtxoOptions } from './state.js'
import { createTicks } from './ticks.js'

/** The outputs of addresses: one subscription and one set of entries an address, whoever tracks it. */
export interface Utxos {
  /**
   * A ledger for some addresses; which, may change. They are tracked while its `state$` is listened to. Throws `ChainError`
   * (`invalid-argument`) for an option that is negative, or of another type.
   */
  readonly ledger: (addresses: readonly string[] | Observable<readonly string[]>, options?: UtxoOptions) => UtxoLedger
}

export interface UtxosDeps
  extends KeepDeps, Pick<NodeLink, 'want'>, Omit<LedgerDeps, 'books' | 'holds' | 'orders' | 'ticks' | 'keep$'> {
  /** What keeps the books, once anyone looks into them. */
  readonly keep: Keep
}

export function createUtxos(deps: UtxosDeps): Utxos {
  const { network$, ended$, platform } = deps
  const books = createBooks(platform.random() * 2 ** 32)
  const holds = createHolds(books, deps)
  const orders = createOrders()
  const ticks = createTicks((ms) => orders.ticked$.next(ms), platform.scheduler)
  const forgotten$ = network$.pipe(
    tap((network) => holds.turnTo(network)), // unless a ledger has come first
    ignoreElements(),
  )
  const keep$ = merge(
    forgotten$,
    followSession$(books, orders, deps),
    deps.keep(books, orders, deps),
    holds.drops$,
  ).pipe(
    finalize(holds.dropAll),
    takeUntil(ended$),
    // Kept on a little longer than the last ledger, so that one which comes back finds its books.
    share({ resetOnRefCountZero: () => timer(2 * LINGER, platform.scheduler) }),
  )
  return {
    ledger: (addresses, options = {}) => {
      check(options)
      return createLedger(addresses, options, { ...deps, books, holds, orders, ticks, keep$ })
    },
  }
}

/** An interval below 0 would ask the node without end. */
function check({ mempoolInterval = 0, coinbaseMaturity = 0n }: UtxoOptions): void {
  const given = [
    ['mempoolInterval', mempoolInterval, 'number'],
    ['coinbaseMaturity', coinbaseMaturity, 'bigint'],
  ] as const
  for (const [name, value, type] of given) {
    if (typeof value !== type || !(value >= 0))
      throw invalidArgument(name, `"${name}" is ${value}: give a ${type} from 0`)
  }
}
