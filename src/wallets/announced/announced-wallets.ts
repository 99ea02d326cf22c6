import { map, of, type Observable } from 'rxjs'
import type { Wallet } from '../port.js'
import { hasMethods } from '../provider.js'
import type { Surroundings } from '../surroundings.js'
import { createWalletLikeA, isWalletA } from '../wallet-a/wallet-a.js'
import { createAnnouncedWallet } from './announced-wallet.js'
import { announcements$, type Announcement } from './announcements.js'

/** The wallets that announced themselves and that we know how to speak to, each made once. */
export function announcedWallets$(surroundings: Surroundings): Observable<readonly Wallet[]> {
  const made = new Map<string, Wallet | null>()
  const toWallet = (announcement: Announcement): Wallet | null => {
    const { id } = announcement.info
    if (!made.has(id)) made.set(id, create(announcement, surroundings))
    return made.get(id) ?? null
  }
  return announcements$(surroundings.page).pipe(
    map((announcements) => announcements.map(toWallet).filter((wallet) => wallet !== null)),
  )
}

/** By what the object can do, since the drafts share their events' names. Null for what we cannot speak to. */
function create(announcement: Announcement, surroundings: Surroundings): Wallet | null {
  const { info, provider } = announcement
  if (isWalletA(provider)) return createWalletLikeA(provider, surroundings, info, of(undefined))
  return hasMethods(provider, 'request') ? createAnnouncedWallet(announcement, surroundings) : null
}
