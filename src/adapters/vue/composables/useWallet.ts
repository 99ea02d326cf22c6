import type { ComputedRef, Ref } from 'vue'
import type { ChainWalletError } from '../../../errors/wallet-error.js'
import type { WalletOperation, WalletStatus } from '../../../streams/wallet/state.js'
import type { WalletSession } from '../../../streams/wallet/wallet-session.js'
import type { DiscoveredWallet, WalletBalance, WalletInfo, WalletProvider } from '../../../wallets/port.js'

export interface UseWalletReturn extends Omit<WalletSession, 'state' | 'state$'> {
  readonly status: ComputedRef<WalletStatus>
  /** The wallet that `status` speaks of; null while disconnected. */
  readonly wallet: ComputedRef<WalletInfo | null>
  /** The same by its name here; null for a discovered one, and where no account can be had: disconnected, gone. */
  readonly provider: ComputedRef<WalletProvider | null>
  readonly address: ComputedRef<string | null>
  /** Hex. */
  readonly publicKey: ComputedRef<string | null>
  /** Sompi. Null where the wallet does not say; walletB never does. */
  readonly balance: ComputedRef<WalletBalance | null>
  /** The wallet's network: a `ChainNetwork` where it is one of ours. */
  readonly network: ComputedRef<string | null>
  /** True from an explicit `connect()` to its end, never while a wallet is taken up silently. */
  readonly isConnecting: ComputedRef<boolean>
  readonly isConnected: ComputedRef<boolean>
  /** Turns true when the wallet arrives late. */
  readonly isWalletAInstalled: ComputedRef<boolean>
  readonly isWalletBInstalled: ComputedRef<boolean>
  /** Wallets that announced themselves; pass one to `connect`. */
  readonly discovered: ComputedRef<readonly DiscoveredWallet[]>
  /** What the user is being asked by the wallet, one question at a time. */
  readonly pending: ComputedRef<WalletOperation | null>
  /** The last operation that failed; cleared when the next one begins or succeeds. */
  readonly error: ComputedRef<ChainWalletError | null>
}
