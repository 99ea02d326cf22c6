import type { UseWalletReturn } from '../../composables/useWallet.js'
import type { WalletInfo, WalletProvider } from '../../../../wallets/port.js'

/** An entry of the wallet list, installed or not. */
export interface WalletOption {
  readonly id: string
  readonly name: string
  /** A `data:` URI; null if the wallet provides none. */
  readonly icon: string | null
  readonly presence: 'installed' | 'missing'
  /** URL of the download page; null for announced wallets, which are installed. */
  readonly home: string | null
  /** The argument of `connect`. */
  readonly target: WalletProvider | WalletInfo
}

const NAMED_WALLETS = [
  { id: 'walletA', name: 'KasWare', home: 'https://kasware.xyz' },
  { id: 'walletB', name: 'Kastle', home: 'https://kastle.cc' },
] as const

type DetectedWallets = Pick<UseWalletReturn, 'isWalletAInstalled' | 'isWalletBInstalled' | 'discovered'>

/**
 * The entries of the wallet list, installed wallets first. Omits an announced wallet with the name of an installed
 * built-in one: it is the same wallet, or impersonates it.
 */
export function toOptions({
  isWalletAInstalled,
  isWalletBInstalled,
  discovered,
}: DetectedWallets): readonly WalletOption[] {
  const installed = { walletA: isWalletAInstalled.value, walletB: isWalletBInstalled.value }
  const named = NAMED_WALLETS.map((wallet): WalletOption => ({
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
