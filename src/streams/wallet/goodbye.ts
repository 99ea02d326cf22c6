import { catchError, defer, firstValueFrom, of, race, timer, type SchedulerLike } from 'rxjs'
import type { Wallet } from '../../wallets/port.js'

/** How long, in ms, a wallet that is being left may take to hear of it; one in a hidden page hears nothing. */
const PATIENCE = 2_000

/** Tells a wallet that we leave it. Whatever it says to that, we have left: never rejects. */
export async function sayGoodbye(wallet: Wallet, scheduler: SchedulerLike): Promise<void> {
  const told$ = defer(() => wallet.disconnect()).pipe(catchError(() => of(undefined)))
  await firstValueFrom(race(told$, timer(PATIENCE, scheduler)))
}
