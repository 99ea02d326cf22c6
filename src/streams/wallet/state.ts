import type { ChainWalletError } from '../../errors/wallet-error.js'
import type { DiscoveredWallet, WalletBalance, WalletInfo, WalletProvider } from '../../wallets/port.js'

/**
 * - `disconnected`: no wallet is in use. `connecting`: someone asked for one, and it has not answered yet.
 * - `connected`: a wallet shows us an account.
 * - `locked`: it wants its password first; it is looked at again when the page is. `gone`: it shows us no account any more.
 */
export type WalletStatus = 'disconnected' | 'connecting' | 'connected' | 'locked' | 'gone'

/** The operations that may show a wallet's window. */
export type WalletOperation = 'connect' | 'sendKaspa' | 'signMessage' | 'signPskt' | 'switchNetwork'

/** A wallet session as everybody may see it. Account, network and balance are of one moment, or null together. */
export interface WalletState {
  readonly status: WalletStatus
  /** The wallet that `status` speaks of; null while disconnected. */
  readonly wallet: WalletInfo | null
  /** The same by its name here; null for a discovered one, and where no account can be had: disconnected, gone. */
  readonly provider: WalletProvider | null
  readonly address: string | null
  readonly publicKey: string | null
  /** Null where the wallet does not say; walletB never does. */
  readonly balance: WalletBalance | null
  readonly network: string | null
  /** What the user is being asked by the wallet, one question at a time. */
  readonly pending: WalletOperation | null
  /** The last operation that failed; cleared when the next one begins or succeeds. Silent work never sets it. */
  readonly error: ChainWalletError | null
  readonly installed: readonly WalletProvider[]
  readonly discovered: readonly DiscoveredWallet[]
}

export const NO_WALLET: WalletState = {
  status: 'disconnected',
  wallet: null,
  provider: null,
  address: null,
  publicKey: null,
  balance: null,
  network: null,
  pending: null,
  error: null,
  installed: [],
  discovered: [],
}
