import type { Observable } from 'rxjs'
import type { ChainNetwork } from '../../model/network.js'
import type { SignMessageResult } from '../../model/keys.js'
import type {
  WalletInfo,
  WalletOutput,
  WalletProvider,
  WalletSendOptions,
  WalletSignPsktOptions,
} from '../../wallets/port.js'
import type { WalletState } from './state.js'

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
