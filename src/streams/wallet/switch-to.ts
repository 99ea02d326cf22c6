import { concatMap, filter, firstValueFrom, from, take, timer, type SchedulerLike } from 'rxjs'
import type { ChainNetwork } from '../../model/network.js'
import type { Wallet } from '../../wallets/port.js'
import type { Reading } from './phases.js'
import { notSwitched } from './prompt-errors.js'
import { read$ } from './read.js'

/** When, in ms, a wallet is looked at after it was switched: its accounts follow a little later. */
const LOOKS: readonly number[] = [0, ...Array.from({ length: 10 }, () => 200)]

/** Switches a wallet; resolves to what it shows once that belongs to `network`, rejects where it never does. */
export async function switchTo(wallet: Wallet, network: ChainNetwork, scheduler: SchedulerLike): Promise<Reading> {
  await wallet.switchNetwork(network)
  const arrived$ = from(LOOKS).pipe(
    concatMap((delay) => timer(delay, scheduler)),
    concatMap(() => read$(wallet, scheduler).pipe(take(1))),
    filter((reading) => reading.status === 'open' && reading.account.network === network),
  )
  const reading = await firstValueFrom(arrived$, { defaultValue: null })
  if (reading === null) throw notSwitched(network)
  return reading
}
