import type { Observable } from 'rxjs'
import type { ChainNetwork } from '../../model/network.js'
import type { SignMessageResult } from '../../model/keys.js'
import type {
  WalletInfo,
  WalletOutput,
  WalletProvider,
  WalletSendOptions,
  WalletSignPsktOptions,
  WalletBalance,
} from '../../wallets/port.js'
import type { ChainWalletError } from '../../errors/wallet-error.js'
import type { InterruptedPayment } from './interrupted.js'

/**
 * The browser wallet in use. Operations reject with `ChainWalletError`: its name in `operation`, the kind in `code`,
 * the wallet's own rejection in `cause`. One prompt at a time: a second operation meanwhile is `busy`. There is no
 * timeout, since users may take long; `abort()` and `disconnect()` abort a pending prompt (`aborted`, a payment
 * `unknown-outcome`). A wallet that stops responding ends it within 30 s: `not-sent`, a payment `unknown-outcome`.
 */
export interface WalletSession {
  /**
   * Hot and shared; replays the current state. Emits only changes, never errors, completes with the engine. The first
   * subscription starts the wallet search, and restores the last visit's wallet without a prompt.
   */
  readonly state$: Observable<WalletState>
  readonly state: WalletState
  /**
   * Connects to a wallet, which may prompt the user. Waits for a missing wallet until 5 s after the search started.
   * With `network` the wallet is then switched to it. Concurrent identical calls share one prompt. An earlier wallet
   * stays in use until this one is connected. Codes: `not-installed`, `rejected`, `busy`, `aborted`, `failed` and
   * more.
   */
  readonly connect: (wallet: WalletProvider | WalletInfo, network?: ChainNetwork) => Promise<void>
  /** Aborts the pending prompt and stays connected. The wallet's window may remain open. */
  readonly abort: () => void
  /**
   * Disconnects, revokes the site's permission where the wallet supports it, and clears the last visit's wallet. Never
   * rejects.
   */
  readonly disconnect: () => Promise<void>
  /**
   * Pays `amount` sompi; resolves to the transaction id. Arguments are validated before the prompt, with `argument`
   * set. `unknown-outcome`: the payment may have been sent; look it up before trying again. `rejected-by-node`: see
   * `reason`. `outcome` of the error says whether it is known that nothing was sent.
   */
  readonly sendKaspa: (to: string, amount: bigint, options?: WalletSendOptions) => Promise<string>
  /**
   * Pays several recipients by one transaction, in sompi; otherwise as `sendKaspa`. Rejects with `unsupported` before
   * any window opens unless `canSendMany`.
   */
  readonly sendMany: (outputs: readonly WalletOutput[], options?: WalletSendOptions) => Promise<string>
  /**
   * Ends a payment of the state's `interrupted` by its id, once the user has found out what became of it. One that is
   * seen on the network ends by itself, where the engine is connected to its network.
   */
  readonly dismissInterrupted: (id: string) => void
  /**
   * Calls a method of the wallet that this library does not offer, such as `compoundUtxos` of Kastle; its names and
   * parameters are the wallet's own, a list of `params` its arguments. Resolves to what the wallet returns, unchecked.
   * Rejects with `invalid-argument` for a method with an operation here, and with `unknown-outcome` unless the wallet's
   * error proves that nothing was sent. One prompt at a time.
   */
  readonly request: (method: string, params?: unknown) => Promise<unknown>
  /** Signs a non-empty message; the result is the input of `verifyMessage`. */
  readonly signMessage: (message: string) => Promise<SignMessageResult>
  /**
   * Signs inputs of a transaction in the SDK's safe JSON, without submitting it. Rejects with `unexpected-response` if
   * the wallet returned another transaction, or signed other inputs or with other sighash types than requested, as
   * walletB does where not every input is named; its JSON is then the `cause`: do not pass it on.
   */
  readonly signPskt: (txJson: string, options?: WalletSignPsktOptions) => Promise<string>
  /**
   * Has the wallet add signatures to a bundle of partially signed transactions (`PSKB` and hex); resolves to its text,
   * which is that of a foreign program: `proposal.combine(text)` verifies it, and takes its signatures only. Rejects
   * with `unsupported` before any window opens unless `canSignPskb`, and where the wallet does not sign for accounts of
   * several keys.
   */
  readonly signPskb: (text: string) => Promise<string>
  /** Switches the wallet's network; resolves once the wallet provides an account of it. */
  readonly switchNetwork: (network: ChainNetwork) => Promise<void>
}

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
