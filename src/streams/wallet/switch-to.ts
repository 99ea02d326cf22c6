import { concatMap, defer, filter, from, switchMap, take, throwIfEmpty, timer } from 'rxjs'
import type { Observable, SchedulerLike } from 'rxjs'
import type { ChainNetwork } from '../../model/network.js'
import type { Wallet } from '../../wallets/port.js'
import type { Reading } from './phases.js'
import { notSwitched } from './prompt-errors.js'
import { read$ } from './read.js'

/** When, in ms, a wallet is looked at after it was switched: its accounts follow a little later. */
const LOOKS: readonly number[] = [0, ...Array.from({ length: 10 }, () => 200)]

/** Switches a wallet; what it shows once that belongs to `network`. Errors where it never does. */
export const switchTo$ = (wallet: Wallet, network: ChainNetwork, scheduler: SchedulerLike): Observable<Reading> =>
  defer(() => wallet.switchNetwork(network)).pipe(
    switchMap(() => from(LOOKS)),
    concatMap((delay) => timer(delay, scheduler)),
    concatMap(() => read$(wallet, scheduler).pipe(take(1))),
    filter((reading) => reading.status === 'open' && reading.account.network === network),
    take(1),
    throwIfEmpty(() => notSwitched(network)),
  )
