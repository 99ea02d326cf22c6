import { fromEvent, map, merge, tap, type Observable } from 'rxjs'
import { walletEvent$ } from '../emitter.js'
import type { WalletHint } from '../port.js'
import type { Provider } from '../provider.js'
import { firstAccount } from '../reading/accounts.js'
import type { Surroundings } from '../surroundings.js'
import type { ShownAccounts } from './shown-accounts.js'

/**
 * What KasWare tells of changes. An empty list is a lock, a removed permission or our own farewell, in whichever tab. Of an
 * unlock it tells nothing: the page's getting the focus back, from the wallet's window say, is the occasion to look.
 */
export const hints$ = (provider: Provider, shown: ShownAccounts, { page }: Surroundings): Observable<WalletHint> =>
  merge(
    walletEvent$(provider, 'accountsChanged').pipe(
      tap((accounts) => shown.note([firstAccount(accounts)])),
      map((accounts): WalletHint => (firstAccount(accounts) === null ? 'withdrawn' : 'changed')),
    ),
    merge(
      walletEvent$(provider, 'networkChanged'),
      walletEvent$(provider, 'chainChanged'), // what some of its likes call that
      walletEvent$(provider, 'balanceChanged'),
      fromEvent(page, 'focus'),
    ).pipe(map((): WalletHint => 'changed')),
  )
