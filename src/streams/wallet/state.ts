import type { ChainWalletError } from '../../errors/wallet-error.js'
import type { WalletInfo, WalletBalance, WalletProvider } from '../../wallets/port.js'
import type { InterruptedPayment } from './interrupted.js'

/**
 * - `disconnected`: no wallet is in use. `connecting`: the `connect` prompt is pending.
 * - `connected`: the wallet provides an account.
 * - `locked`: the wallet needs its password; it is read again when the page becomes visible.
 * - `wrong-network`: the wallet's address is of another network than the one it reports, as after a switch in a wallet
 *   that is open elsewhere. It is read again until they agree; the user has to open the wallet.
 * - `disconnected-by-wallet`: the wallet no longer provides an account.
 */
export type WalletStatus =
  | 'disconnected'
  | 'connecting'
  | 'connected'
  | 'locked'
  | 'wrong-network'
  | 'disconnected-by-wallet'

/** Operations that may open a wallet prompt. */
export type WalletOperation =
  | 'connect'
  | 'sendKaspa'
  | 'sendMany'
  | 'signMessage'
  | 'signPskt'
  | 'signPskb'
  | 'switchNetwork'
  | 'request'

/** Public state of a wallet session. Account, network and balance belong to one reading, or are null together. */
export interface WalletState {
  readonly status: WalletStatus
  /** The wallet of `status`; null while disconnected. */
  readonly wallet: WalletInfo | null
  /** `wallet` as a `WalletProvider`; null for a discovered one, and where it exposes no account. */
  readonly provider: WalletProvider | null
  readonly address: string | null
  readonly publicKey: string | null
  /** Null if the wallet does not report it in parts; walletB never does. */
  readonly balance: WalletBalance | null
  /** The total that the wallet reports, sompi; null where it cannot. */
  readonly reportedBalance: bigint | null
  readonly network: string | null
  /** Whether `sendMany` can pay several recipients by one transaction. False without an account. */
  readonly canSendMany: boolean
  /** Whether the wallet may have `signPskb`. False without an account. */
  readonly canSignPskb: boolean
  /** The operation whose prompt is pending, one at a time. */
  readonly pending: WalletOperation | null
  /** The last failed operation; cleared when the next one starts or succeeds. Background reads never set it. */
  readonly error: ChainWalletError | null
  /** Payments of this tab whose outcome is not known, oldest first; also after a reload. */
  readonly interrupted: readonly InterruptedPayment[]
  readonly installed: readonly WalletProvider[]
  readonly discovered: readonly WalletInfo[]
}

export const NO_WALLET: WalletState = {
  status: 'disconnected',
  wallet: null,
  provider: null,
  address: null,
  publicKey: null,
  balance: null,
  reportedBalance: null,
  network: null,
  canSendMany: false,
  canSignPskb: false,
  pending: null,
  error: null,
  interrupted: [],
  installed: [],
  discovered: [],
}
