import { concatMap, firstValueFrom, from, last, takeWhile, timer } from 'rxjs'
import type { WalletGlimpse } from './port.js'
import { isOn } from './reading/network.js'
import type { Surroundings } from './surroundings.js'

/** When, in ms, a wallet is looked at whose address does not fit its network. */
const LOOKS: readonly number[] = [0, ...Array.from({ length: 10 }, () => 200)]

/**
 * What a wallet shows once it does not contradict itself: just after a switch it may name the new network beside the old
 * address. Where it never stops, the address stands and the network is unknown.
 */
export async function settled(look: () => Promise<WalletGlimpse>, { platform }: Surroundings): Promise<WalletGlimpse> {
  const looks$ = from(LOOKS).pipe(
    concatMap((delay) => (delay === 0 ? look() : timer(delay, platform.scheduler).pipe(concatMap(look)))),
    takeWhile(isContradictory, true),
    last(),
  )
  const glimpse = await firstValueFrom(looks$)
  if (!isContradictory(glimpse)) return glimpse
  return { status: 'open', account: { ...glimpse.account, network: null } }
}

type Open = Extract<WalletGlimpse, { status: 'open' }>

const isContradictory = (glimpse: WalletGlimpse): glimpse is Open => glimpse.status === 'open' && !isOn(glimpse.account)
