import type { UseWalletReturn } from '../../composables/useWallet.js'
import type { DiscoveredWallet, WalletProvider } from '../../../../wallets/port.js'

/** A wallet that can be chosen, or could be if it were installed. */
export interface WalletOption {
  readonly id: string
  readonly name: string
  /** A `data:` URI; null where the wallet brings none. */
  readonly icon: string | null
  readonly presence: 'installed' | 'missing'
  /** Where to get it; null for wallets that announced themselves, which are there. */
  readonly home: string | null
  /** What `connect` takes. */
  readonly target: WalletProvider | DiscoveredWallet
}

const NAMED = [
  { id: 'walletA', name: 'KasWare', home: 'https://kasware.xyz' },
  { id: 'walletB', name: 'Kastle', home: 'https://kastle.cc' },
] as const

type Found = Pick<UseWalletReturn, 'isWalletAInstalled' | 'isWalletBInstalled' | 'discovered'>

/** The wallets to choose from: those that are there first. */
export function toOptions({ isWalletAInstalled, isWalletBInstalled, discovered }: Found): readonly WalletOption[] {
  const installed = { walletA: isWalletAInstalled.value, walletB: isWalletBInstalled.value }
  const named = NAMED.map((wallet): WalletOption => ({
    ...wallet,
    icon: null,
    presence: installed[wallet.id] ? 'installed' : 'missing',
    target: wallet.id,
  }))
  const announced = discovered.value.map((wallet): WalletOption => ({
    ...wallet,
    presence: 'installed',
    home: null,
    target: wallet,
  }))
  const all = [...named, ...announced]
  return [
    ...all.filter(({ presence }) => presence === 'installed'),
    ...all.filter(({ presence }) => presence === 'missing'),
  ]
}
