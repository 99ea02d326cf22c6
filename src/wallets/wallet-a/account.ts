import { fromEvent, map, merge, tap, type Observable } from 'rxjs'
import { readSnapshot } from '../read-snapshot.js'
import type { WalletSnapshot, WalletHint } from '../port.js'
import type { Provider } from '../provider.js'
import { firstAccount, keyOfAddress, readPublicKey } from '../reading/account.js'
import type { WalletEnvironment } from '../environment.js'
import { walletEvent$ } from '../emitter.js'
import { readNetwork, callIfPresent, type ShownAccounts } from './compatible.js'

/** What KasWare exposes to this site without a prompt. */
export const refreshKasware = (
  provider: Provider,
  shown: ShownAccounts,
  environment: WalletEnvironment,
): Promise<WalletSnapshot> => readSnapshot(() => fetchSnapshot(provider, shown), environment)

async function fetchSnapshot(provider: Provider, shown: ShownAccounts): Promise<WalletSnapshot> {
  const [accounts, name, key] = await Promise.all([
    shown.read(),
    callIfPresent(provider, 'connect', 'getNetwork'),
    callIfPresent(provider, 'connect', 'getPublicKey'),
  ])
  const address = firstAccount(accounts)
  const network = readNetwork(name)
  if (address !== null) {
    const publicKey = readPublicKey(key) ?? keyOfAddress(address) // some compatible wallets lack `getPublicKey`
    return { status: 'open', account: { address, network, publicKey } }
  }
  // a locked wallet reports its network to a permitted site
  return { status: network === null ? 'disconnected-by-wallet' : 'locked' }
}

/**
 * Changes in KasWare. An empty list is a lock, a revoked permission or a disconnect, in any tab. An unlock has no
 * event: the page's `focus`, as after the wallet's window closes, is a hint to refresh.
 */
export const hints$ = (provider: Provider, shown: ShownAccounts, { page }: WalletEnvironment): Observable<WalletHint> =>
  merge(
    walletEvent$(provider, 'accountsChanged').pipe(
      tap((accounts) => shown.record([firstAccount(accounts)])),
      map((accounts): WalletHint => (firstAccount(accounts) === null ? 'withdrawn' : 'changed')),
    ),
    merge(
      walletEvent$(provider, 'networkChanged'),
      walletEvent$(provider, 'chainChanged'), // the name in some compatible wallets
      walletEvent$(provider, 'balanceChanged'),
      fromEvent(page, 'focus'),
    ).pipe(map((): WalletHint => 'changed')),
  )
