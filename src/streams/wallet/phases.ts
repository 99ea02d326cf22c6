import type { ChainWalletError } from '../../errors/wallet-error.js'
import type { Wallet, WalletAccount, WalletBalance } from '../../wallets/port.js'
import type { WalletOperation } from './state.js'

/** One stretch with one wallet. What comes in bears its session, so that whatever is late means nothing any more. */
export interface Session {
  readonly wallet: Wallet
}

/** A question that the user is being asked. Which one it is, it is known by itself: two of the same kind are two. */
export interface Prompt {
  readonly operation: WalletOperation
  /** The wallet's id. */
  readonly wallet: string
}

/** What was read of a wallet at one time. A balance that is `undefined` has not been read yet, one that is null cannot be. */
export type Reading =
  | {
      readonly status: 'open'
      readonly account: WalletAccount
      readonly balance: WalletBalance | null | undefined
    }
  | { readonly status: 'locked' | 'gone' }

/** How we stand with wallets, whatever question may be open beside it. */
export type Standing =
  | { readonly status: 'disconnected' }
  /** The wallet of the last visit is looked for, silently. */
  | { readonly status: 'restoring'; readonly wallet: string }
  | {
      readonly status: 'connected'
      readonly session: Session
      readonly account: WalletAccount
      readonly balance: WalletBalance | null | undefined
    }
  | { readonly status: 'locked' | 'gone'; readonly session: Session }

export interface WalletPhase {
  readonly standing: Standing
  readonly prompt: Prompt | null
  readonly error: ChainWalletError | null
}

export type WalletEvent =
  /** The last visit's wallet has been found and looked at, or has not been found. */
  | { readonly type: 'restored'; readonly session: Session; readonly reading: Reading }
  | { readonly type: 'missed' }
  | { readonly type: 'asked'; readonly prompt: Prompt }
  | { readonly type: 'connected'; readonly prompt: Prompt; readonly session: Session; readonly reading: Reading }
  | { readonly type: 'answered'; readonly prompt: Prompt }
  | { readonly type: 'failed'; readonly prompt: Prompt; readonly error: ChainWalletError }
  /** Refused before anyone was asked. */
  | { readonly type: 'refused'; readonly error: ChainWalletError }
  | { readonly type: 'looked'; readonly session: Session; readonly reading: Reading }
  /** The same, where somebody asked for the wallet that is in use. */
  | { readonly type: 'stillOpen'; readonly session: Session; readonly reading: Reading }
  | { readonly type: 'withdrawn'; readonly session: Session }
  | { readonly type: 'disconnectRequested' }
