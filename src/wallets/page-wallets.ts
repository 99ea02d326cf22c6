import { combineLatest, map, of } from 'rxjs'
import { announcedWallets$ } from './announced/announced-wallets.js'
import { globalWallet$, type GlobalWallet } from './globals.js'
import type { WalletsPort } from './port.js'
import type { Page, Surroundings } from './surroundings.js'
import { createWalletA, isWalletA } from './wallet-a/wallet-a.js'
import { RELAY_UP } from './wallet-b/relay.js'
import { createWalletB, isWalletB } from './wallet-b/wallet-b.js'

const KASWARE: GlobalWallet = {
  name: 'kasware',
  event: 'kasware#initialized',
  isIt: isWalletA,
  create: createWalletA,
}

const KASTLE: GlobalWallet = { name: 'kastle', event: RELAY_UP, isIt: isWalletB, create: createWalletB }

/** The wallets of a page: the two that have a name here, then those that announce themselves. */
export function createPageWallets(platform: Surroundings['platform'], page = thisPage()): WalletsPort {
  if (page === null) return { wallets$: of([]) } // a server or a worker: no wallet will ever come
  const surroundings = { page, platform }
  const named$ = [KASWARE, KASTLE].map((wallet) => globalWallet$(wallet, surroundings))
  return {
    wallets$: combineLatest([...named$, announcedWallets$(surroundings)]).pipe(
      map((found) => found.flat().filter((wallet) => wallet !== null)),
    ),
  }
}

const thisPage = (): Page | null => (typeof window === 'undefined' ? null : window)
