import type { Observable, ObservableInput } from 'rxjs'
import type { ChainNetwork } from '../model/network.js'

/** The two built-in browser wallets: KasWare is `walletA`, Kastle `walletB`. */
export type WalletProvider = 'walletA' | 'walletB'

/** A wallet's identity as it announces itself; not authenticated. */
export interface WalletInfo {
  /** `walletA`, `walletB`, or an announced wallet's id; stable across reloads. */
  readonly id: string
  readonly name: string
  /** A `data:` URI; null if there is none. */
  readonly icon: string | null
  /** The vendor's domain in reverse order (`org.example.wallet`); null if not announced. */
  readonly rdns: string | null
}

/** A wallet found by its announcement, in addition to the built-in ones. */

/** An account's balance as the wallet reports it, sompi. */
export interface WalletBalance {
  readonly confirmed: bigint
  readonly unconfirmed: bigint
  readonly total: bigint
}

/** What a wallet reports about an account's balance, sompi: in parts, or one figure only. */
export type ReportedBalance = WalletBalance | Pick<WalletBalance, 'total'>

/** Options of a payment through a wallet. */
export interface WalletSendOptions {
  /** Added to the minimum fee, sompi. @default 0n */
  readonly priorityFee?: bigint | undefined
  /** The transaction's payload, hex. */
  readonly payload?: string | undefined
}

/** An input for the wallet to sign. */
export interface WalletSignInput {
  /** The input's index. */
  readonly index: number
  /** 1 All, 2 None, 4 Single; 129, 130 and 132 the same with AnyOneCanPay. @default 1 */
  readonly sighashType?: number | undefined
}

export interface WalletSignPsktOptions {
  /** @default every input, each with sighash type All */
  readonly signInputs?: readonly WalletSignInput[] | undefined
}

/** The account that a wallet exposes to this site. All fields were read together. */
export interface WalletAccount {
  /** With the prefix of the wallet's network. */
  readonly address: string
  /** Hex: compressed (33 bytes), or x-only (32) if the wallet returns that; null if unavailable. */
  readonly publicKey: string | null
  /** A `ChainNetwork`, or the wallet's own name in the same spelling; null if the wallet does not report it. */
  readonly network: string | null
}

/** The result of a read: an account, a locked wallet, or one that exposes no account. */
export type WalletSnapshot =
  | { readonly status: 'open'; readonly account: WalletAccount }
  | { readonly status: 'locked' | 'disconnected-by-wallet' }

/** One recipient of a payment. */
export interface WalletOutput {
  readonly address: string
  /** Sompi. */
  readonly amount: bigint
}

/** A validated payment: valid addresses, amounts above 0, hex in lower case. Several outputs only if `canSendMany`. */
export interface WalletPayment {
  readonly outputs: readonly WalletOutput[]
  readonly priorityFee: bigint
  /** '' for none. */
  readonly payload: string
}

/** An input to sign with all defaults applied. */
export type WalletInputToSign = { readonly [Key in keyof WalletSignInput]-?: NonNullable<WalletSignInput[Key]> }

/** A validated request: every input to sign with its sighash type. */
export interface WalletSignRequest {
  /** The SDK's safe JSON, each input with its `utxo`. */
  readonly txJson: string
  readonly signInputs: readonly WalletInputToSign[]
  /** `named` if the caller listed the inputs; `all` for every input with sighash type All. */
  readonly inputs: 'all' | 'named'
}

/**
 * One value, or a rejection: a `Promise` for a single call. Several steps are an `Observable`, so that an unsubscribe
 * prevents the remaining ones.
 */
export type WalletResult<T> = ObservableInput<T>

/**
 * One browser wallet. Operations that may open its window say so and have no timeout. All reject with
 * `ChainWalletError`; `cause` is the wallet's own rejection.
 */
export interface Wallet {
  readonly info: WalletInfo
  /** The networks that `switchNetwork` accepts. */
  readonly networks: readonly ChainNetwork[]
  /**
   * The account, the network or the balance may have changed, or (`withdrawn`) the account is no longer exposed. Call
   * `refresh` for the current state. Subscribes to the wallet's events while subscribed. Never errors.
   */
  readonly hints$: Observable<WalletHint>
  /** Requests an account. May open the wallet's window. */
  connect(): WalletResult<WalletAccount>
  /** The current snapshot, read after the wallet is ready. Opens no window. */
  refresh(): WalletResult<WalletSnapshot>
  /** The account's balance; null if currently unavailable. Absent if the wallet has no such method. Opens no window. */
  readonly balance?: (() => WalletResult<ReportedBalance | null>) | undefined
  /** Revokes the site's permission if the wallet supports it. Opens no window. */
  disconnect(): WalletResult<void>
  /** Whether one payment can have several outputs. */
  readonly canSendMany: boolean
  /** Pays; resolves to the transaction id. Opens the wallet's window. */
  send(payment: WalletPayment, account: WalletAccount): WalletResult<string>
  /** Signs a message; resolves to a BIP-340 signature, 64 bytes of lower-case hex. Opens the wallet's window. */
  signMessage(message: string, account: WalletAccount): WalletResult<string>
  /** Signs a transaction without sending it; resolves to its safe JSON. Opens the wallet's window. */
  signPskt(request: WalletSignRequest, account: WalletAccount): WalletResult<string>
  /**
   * Adds signatures of its key to a bundle of transactions, `PSKB` and hex; resolves to the text with them. Opens the
   * wallet's window. Absent where the wallet does not offer it.
   */
  readonly signPskb?: ((text: string, account: WalletAccount) => WalletResult<string>) | undefined
  /** The wallet's own methods that the operations above cover, each with the name of the operation. */
  readonly covered: Readonly<Record<string, string>>
  /** Calls a method of the wallet itself. May open its window, and may pay. */
  request(method: string, params: unknown): WalletResult<unknown>
  /**
   * Switches the wallet to `network`, one of `networks`. May open its window. The address can change later than the
   * network.
   */
  switchNetwork(network: ChainNetwork): WalletResult<void>
}

export type WalletHint = 'changed' | 'withdrawn'

/** The source of browser wallets. */
export interface WalletsPort {
  /**
   * The available wallets, then each change. Detects wallets while subscribed. Completes where there can be none, as on
   * a server; never errors.
   */
  readonly wallets$: Observable<readonly Wallet[]>
}
