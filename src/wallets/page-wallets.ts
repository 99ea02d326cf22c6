import { combineLatest, map, of } from 'rxjs'
import { announcedWallets$ } from './announced/announced-wallets.js'
import { globalWallet$, type GlobalWallet } from './globals.js'
import { memberOf } from './foreign-object.js'
import type { WalletsPort } from './port.js'
import type { Page, WalletEnvironment } from './environment.js'
import { createWalletA, isWalletA } from './wallet-a/wallet-a.js'
import { RELAY_READY } from './wallet-b/relay.js'
import { createWalletB, isWalletB } from './wallet-b/wallet-b.js'

const KASWARE: GlobalWallet = {
  name: 'kasware',
  event: 'kasware#initialized',
  matches: (provider) => isWalletA(provider) && memberOf(provider, 'isKcc20Shim') !== true, // of another wallet's page
  create: createWalletA,
}

const KASTLE: GlobalWallet = { name: 'kastle', event: RELAY_READY, matches: isWalletB, create: createWalletB }

/** The wallets of a page: KasWare and Kastle, then announced ones. */
export function createPageWallets(platform: WalletEnvironment['platform'], page = currentPage()): WalletsPort {
  if (page === null) return { wallets$: of([]) } // a server or a worker has no wallets
  const environment = { page, platform }
  const named$ = [KASWARE, KASTLE].map((wallet) => globalWallet$(wallet, environment))
  return {
    wallets$: combineLatest([...named$, announcedWallets$(environment)]).pipe(
      map((found) => found.flat().filter((wallet) => wallet !== null)),
    ),
  }
}

const currentPage = (): Page | null => (typeof window === 'undefined' ? null : window)
