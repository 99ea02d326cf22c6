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

/**
 * The wallets to choose from: those that are there first. What announces itself under the name of one that is there by its
 * own is that one once more, or would like to be taken for it.
 */
export function toOptions({ isWalletAInstalled, isWalletBInstalled, discovered }: Found): readonly WalletOption[] {
  const installed = { walletA: isWalletAInstalled.value, walletB: isWalletBInstalled.value }
  const named = NAMED.map((wallet): WalletOption => ({
    ...wallet,
    icon: null,
    presence: installed[wallet.id] ? 'installed' : 'missing',
    target: wallet.id,
  }))
  const [present, missing] = [named.filter(isInstalled), named.filter((option) => !isInstalled(option))]
  const announced = discovered.value
    .map((wallet): WalletOption => ({ ...wallet, presence: 'installed', home: null, target: wallet }))
    .filter(({ name }) => present.every((other) => other.name !== name.trim()))
  return [...present, ...announced, ...missing]
}

const isInstalled = ({ presence }: WalletOption): boolean => presence === 'installed'
