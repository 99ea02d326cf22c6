import { map, of, tap, type Observable } from 'rxjs'
import type { Wallet } from '../port.js'
import { hasMethods } from '../provider.js'
import type { WalletEnvironment } from '../environment.js'
import { createKaswareCompatibleWallet, isWalletA } from '../wallet-a/wallet-a.js'
import { createAnnouncedWallet } from './announced-wallet.js'
import { announcements$ } from './announcements.js'
import type { Announcement } from './keep-announcements.js'

/** The announced wallets of a supported kind. Each is created once while it is announced. */
export function announcedWallets$(environment: WalletEnvironment): Observable<readonly Wallet[]> {
  const wallets = new Map<string, Wallet | null>()
  const toWallet = (announcement: Announcement): Wallet | null => {
    const { id } = announcement.info
    if (!wallets.has(id)) wallets.set(id, create(announcement, environment))
    return wallets.get(id) ?? null
  }
  return announcements$(environment).pipe(
    tap((announcements) => forgetEvicted(wallets, announcements)),
    map((announcements) => announcements.map(toWallet).filter((wallet) => wallet !== null)),
  )
}

/** Bounds the wallets by the announcements. */
function forgetEvicted(wallets: Map<string, Wallet | null>, announcements: readonly Announcement[]): void {
  const ids = new Set(announcements.map(({ info }) => info.id))
  for (const id of wallets.keys()) if (!ids.has(id)) wallets.delete(id)
}

/** Detects the kind by the provider's methods, because the drafts share event names. Null if unsupported. */
function create(announcement: Announcement, environment: WalletEnvironment): Wallet | null {
  const { info, provider } = announcement
  if (isWalletA(provider)) return createKaswareCompatibleWallet(provider, environment, info, of(undefined))
  return hasMethods(provider, 'request') ? createAnnouncedWallet(announcement, environment) : null
}
