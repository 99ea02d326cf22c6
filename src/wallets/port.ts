import type { Observable, ObservableInput } from 'rxjs'
import type { ChainNetwork } from '../model/network.js'

/** The two browser wallets that have a name here: KasWare is `walletA`, Kastle `walletB`. */
export type WalletProvider = 'walletA' | 'walletB'

/** Who a wallet says it is. An announcement proves that a wallet is there, not which one. */
export interface WalletInfo {
  /** `walletA`, `walletB`, or what an announced wallet is known by; the same again after a reload. */
  readonly id: string
  readonly name: string
  /** A `data:` URI; null where there is none. */
  readonly icon: string | null
  /** The maker's domain, written backwards (`org.example.wallet`); null where none was given. */
  readonly rdns: string | null
}

/** A wallet that announced itself, beside the two that have a name here. */
export type DiscoveredWallet = WalletInfo

/** What a wallet says of an account's money, sompi. */
export interface WalletBalance {
  readonly confirmed: bigint
  readonly unconfirmed: bigint
  readonly total: bigint
}

/** Options of a payment through a wallet. */
export interface WalletSendOptions {
  /** What is paid above the least fee, sompi. @default 0n */
  readonly priorityFee?: bigint | undefined
  /** Data that the transaction carries, hex. */
  readonly payload?: string | undefined
}

/** Which inputs of a transaction a wallet is to sign. */
export interface WalletSignInput {
  /** The input's position, from 0. */
  readonly index: number
  /** 1 All, 2 None, 4 Single; 129, 130 and 132 the same with AnyOneCanPay. @default 1 */
  readonly sighashType?: number | undefined
}

export interface WalletSignPsktOptions {
  /** @default every input, each with sighash type All */
  readonly signInputs?: readonly WalletSignInput[] | undefined
}

/** The account that a wallet shows us: what was read together belongs together. */
export interface WalletAccount {
  /** With the prefix of the wallet's network. */
  readonly address: string
  /** Hex: compressed (33 bytes), or x-only (32) where the wallet gives that; null where it has none. */
  readonly publicKey: string | null
  /** A `ChainNetwork` where we know it, else the wallet's own name for it in our spelling; null where it does not say. */
  readonly network: string | null
}

/** What a look at a wallet finds: an account, a wallet that wants its password, or one that shows us nothing. */
export type WalletGlimpse =
  { readonly status: 'open'; readonly account: WalletAccount } | { readonly status: 'locked' | 'gone' }

/** A payment, checked: a valid address, an amount above 0, hex in lower case. */
export interface WalletPayment {
  readonly to: string
  /** Sompi. */
  readonly amount: bigint
  readonly priorityFee: bigint
  /** '' for none. */
  readonly payload: string
}

/** An input to sign, whatever was left out filled in. */
export type WalletInputToSign = { readonly [Key in keyof WalletSignInput]-?: NonNullable<WalletSignInput[Key]> }

/** A transaction to sign, checked: each input that is meant, with its sighash type. */
export interface WalletSignRequest {
  /** The SDK's safe JSON, each input with its `utxo`. */
  readonly txJson: string
  readonly signInputs: readonly WalletInputToSign[]
  /** Whether the caller named them; else they are all there are, each with sighash type All. */
  readonly inputs: 'all' | 'named'
}

/**
 * One value, or a rejection: a `Promise` where a wallet is asked once. What takes several steps is an `Observable`, since
 * those that nobody waits for any more must not be taken.
 */
export type WalletAnswer<T> = ObservableInput<T>

/**
 * What we ask of one browser wallet. Operations that may show its window say so; they have no bound in time, since
 * people take theirs. All reject with `ChainWalletError`, the wallet's own rejection untouched in `cause`.
 */
export interface Wallet {
  readonly info: WalletInfo
  /** The networks it can be switched to. */
  readonly networks: readonly ChainNetwork[]
  /**
   * That the account, the network or the balance may have changed, or (`withdrawn`) that we are shown none any more. A
   * hint, not a fact: look. Listens to the wallet while it is listened to, and to nothing after. Never errors.
   */
  readonly hints$: Observable<WalletHint>
  /** Asks for an account. May show the wallet's window. */
  connect(): WalletAnswer<WalletAccount>
  /** What it shows us now. Never shows a window; waits until the wallet's answers can be trusted. */
  look(): WalletAnswer<WalletGlimpse>
  /** The account's money; null where the wallet will not say just now. Absent where it never does. No window. */
  readonly balance?: (() => WalletAnswer<WalletBalance | null>) | undefined
  /** Takes our permission back where the wallet can do that. No window. */
  disconnect(): WalletAnswer<void>
  /** Pays; resolves to the transaction's id. Shows the wallet's window. */
  send(payment: WalletPayment, account: WalletAccount): WalletAnswer<string>
  /** Signs a text; resolves to a BIP-340 signature, 64 bytes of lower-case hex. Shows the wallet's window. */
  signMessage(message: string, account: WalletAccount): WalletAnswer<string>
  /** Signs a transaction and sends nothing; resolves to its safe JSON. Shows the wallet's window. */
  signPskt(request: WalletSignRequest, account: WalletAccount): WalletAnswer<string>
  /** Makes `network`, one of `networks`, the wallet's own. May show its window. Accounts may follow a little later. */
  switchNetwork(network: ChainNetwork): WalletAnswer<void>
}

export type WalletHint = 'changed' | 'withdrawn'

/** What we ask of the surroundings: which wallets there are. */
export interface WalletsPort {
  /**
   * The wallets that are there: the present ones at once, then each change, as late as it may come. Looks for them while
   * it is listened to. Completes where none can come any more, as on a server; never errors.
   */
  readonly wallets$: Observable<readonly Wallet[]>
}
