import { fromEvent, map, merge, tap, type Observable } from 'rxjs'
import { walletEvent$ } from '../emitter.js'
import type { WalletHint } from '../port.js'
import type { Provider } from '../provider.js'
import { firstAccount } from '../reading/accounts.js'
import type { WalletEnvironment } from '../environment.js'
import type { ShownAccounts } from './shown-accounts.js'

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
