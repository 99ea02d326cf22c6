import { concatMap, defer, filter, from, switchMap, take, tap, throwIfEmpty, timer } from 'rxjs'
import type { Observable, SchedulerLike } from 'rxjs'
import type { ChainNetwork } from '../../model/network.js'
import type { Wallet } from '../../wallets/port.js'
import type { Reading } from './phases.js'
import { contradictory, notSwitched } from './prompt-errors.js'
import { read$ } from './read.js'

/** Delays in ms between reads after a switch: a wallet's accounts follow with a delay. */
const READ_DELAYS: readonly number[] = /*#__PURE__*/ Array.from({ length: 11 }, (_, at) => (at === 0 ? 0 : 200))

/** Switches the network; emits the first reading of that network. Errors if there is none. */
export const switchTo$ = (wallet: Wallet, network: ChainNetwork, scheduler: SchedulerLike): Observable<Reading> =>
  defer(() => wallet.switchNetwork(network)).pipe(
    switchMap(() => from(READ_DELAYS)),
    concatMap((delay) => timer(delay, scheduler)),
    concatMap(() => read$(wallet, scheduler).pipe(take(1))),
    tap((reading) => {
      if (reading.status === 'wrong-network') throw contradictory('switchNetwork') // for longer than a read retries
    }),
    filter((reading) => reading.status === 'open' && reading.account.network === network),
    take(1),
    throwIfEmpty(() => notSwitched(network)),
  )
