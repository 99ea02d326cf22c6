import type { Observable } from 'rxjs'
import type { ChainNetwork } from '../../model/network.js'
import type { SignMessageResult } from '../../model/key.js'
import type { DiscoveredWallet, WalletProvider, WalletSendOptions, WalletSignPsktOptions } from '../../wallets/port.js'
import type { WalletState } from './state.js'

/**
 * The browser wallet in use. Every operation rejects with `ChainWalletError`: its name in `operation`, the kind in `code`,
 * the wallet's own rejection in `cause`. One question at a time: a second one while a window is open is `busy`. None has
 * a bound in time, since people take theirs; `disconnect()` gives up what is open (`cancelled`, a payment
 * `unknown-outcome`).
 */
export interface WalletSession {
  /**
   * Hot and shared; a late subscriber gets the current state at once. Emits only changes, never errors, completes with the
   * engine. The first listener makes it look for wallets, and take up the last one silently where it still knows us.
   */
  readonly state$: Observable<WalletState>
  /** The state now. */
  readonly state: WalletState
  /**
   * Connects to a wallet, which may ask the user; one that is not there is waited for until 5 s after the first look.
   * With `network` the wallet is switched to it then. The same call twice at a time is one. An earlier wallet stays until
   * this one has answered. Codes: `not-installed`, `rejected`, `busy`, `cancelled`, `failed` and more.
   */
  readonly connect: (wallet: WalletProvider | DiscoveredWallet, network?: ChainNetwork) => Promise<void>
  /** Lets go of the wallet, takes our permission back where it can be, and forgets it. Never rejects. */
  readonly disconnect: () => Promise<void>
  /**
   * Pays `amount` sompi; resolves to the transaction's id. What cannot be meant is refused before the wallet is asked,
   * with `argument` set. `unknown-outcome`: the money may have moved; look for it before trying again.
   */
  readonly sendKaspa: (to: string, amount: bigint, options?: WalletSendOptions) => Promise<string>
  /** Signs a text that is not empty; what comes back is what `verifyMessage` takes. */
  readonly signMessage: (message: string) => Promise<SignMessageResult>
  /**
   * Signs inputs of a transaction, the SDK's safe JSON, and sends nothing. walletB may sign more of its own than was asked,
   * and for all of it.
   */
  readonly signPskt: (txJson: string, options?: WalletSignPsktOptions) => Promise<string>
  /** Makes `network` the wallet's own; resolves once it shows an account of it. */
  readonly switchNetwork: (network: ChainNetwork) => Promise<void>
}
