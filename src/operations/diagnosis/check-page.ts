import { firstValueFrom, race, timer, map } from 'rxjs'
import type { PlatformProbe, WalletProbe } from './probes.js'
import type { DiagnosisCheck } from './records.js'
import { failed, passed, skipped, warning } from './results.js'
import type { ChainNetwork } from '../../model/network.js'

/** A timer of this duration, ms, and the delay from which on the page counts as throttled. */
const TIMER = 50
const THROTTLED = 500

/** How long a wallet may take to be injected, ms. */
const INJECTION = 500

export async function checkOnline({ online$ }: PlatformProbe): Promise<DiagnosisCheck> {
  return (await firstValueFrom(online$))
    ? passed('online', 'This device is online')
    : failed('online', 'This device is offline', 'Check the network connection of this device.')
}

/** Hidden pages are throttled: timers fire late, and animation frames not at all. */
export async function checkPage({ visible$, scheduler }: PlatformProbe): Promise<DiagnosisCheck> {
  if (!(await firstValueFrom(visible$))) {
    return warning(
      'page',
      'The page is hidden, and browsers throttle it',
      'Show the page; its state is then up to date.',
    )
  }
  const due = scheduler.now() + TIMER
  await firstValueFrom(timer(TIMER, scheduler))
  const late = Math.round(scheduler.now() - due)
  return late > THROTTLED
    ? warning(
        'page',
        `Timers fire ${late} ms late`,
        'Look for long tasks on the main thread, or throttling of the process.',
      )
    : passed('page', 'The page is visible, and timers fire in time')
}

/** Lists the wallets of the page, and compares the network of the connected one. Opens no window. */
export async function checkWallets(
  wallets: WalletProbe | null,
  network: ChainNetwork,
  { scheduler }: PlatformProbe,
): Promise<DiagnosisCheck> {
  if (wallets === null) return skipped('wallets', 'There is no page, so there are no wallets')
  const connected = wallets.connected()
  if (connected !== null && connected.network !== null && connected.network !== network) {
    const summary = `${connected.name} is connected with ${connected.network}, the app with ${network}`
    return failed('wallets', summary, `Switch the wallet to ${network}, or the app to the wallet's network.`)
  }
  const none$ = timer(INJECTION, scheduler).pipe(map(() => []))
  const found = await firstValueFrom(race(wallets.port.wallets$, none$), { defaultValue: [] })
  if (found.length === 0) return skipped('wallets', 'No wallet extension is installed')
  const names = found.map(({ info }) => info.name).join(', ')
  return passed('wallets', `Installed: ${names}`, connected === null ? '' : `${connected.name} is connected`)
}
