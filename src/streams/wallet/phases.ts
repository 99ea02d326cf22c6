import type { ChainWalletError } from '../../errors/wallet-error.js'
import type { ReportedBalance, Wallet, WalletAccount, WalletInfo, WalletProvider } from '../../wallets/port.js'
import { type WalletOperation, NO_WALLET, type WalletState, type WalletStatus } from './wallet-session.js'

/** One connection to a wallet. Events carry their session, so that events of an earlier one are ignored. */
export interface Session {
  readonly wallet: Wallet
}

/** A pending approval request. Compared by identity: two prompts of the same operation are different. */
export interface Prompt {
  readonly operation: WalletOperation
  /** The wallet's id. */
  readonly wallet: string
}

/** One reading of a wallet. Balance: `undefined` while it is being read, null where it is not available. */
export type Reading =
  | {
      readonly status: 'open'
      readonly account: WalletAccount
      readonly balance: ReportedBalance | null | undefined
    }
  | { readonly status: 'locked' | 'disconnected-by-wallet' | 'wrong-network' }

/** The connection to a wallet, independent of a pending prompt. */
export type WalletConnection =
  | { readonly status: 'disconnected' }
  /** The last visit's wallet is being restored, without a prompt. */
  | { readonly status: 'restoring'; readonly wallet: string }
  | {
      readonly status: 'connected'
      readonly session: Session
      readonly account: WalletAccount
      readonly balance: ReportedBalance | null | undefined
    }
  | { readonly status: 'locked' | 'disconnected-by-wallet' | 'wrong-network'; readonly session: Session }

export interface WalletPhase {
  readonly connection: WalletConnection
  readonly prompt: Prompt | null
  readonly error: ChainWalletError | null
}

export type WalletEvent =
  /** The last visit's wallet was found and read; `notFound`: it was not found. */
  | { readonly type: 'restored'; readonly session: Session; readonly reading: Reading }
  | { readonly type: 'notFound' }
  | { readonly type: 'prompted'; readonly prompt: Prompt }
  | { readonly type: 'connected'; readonly prompt: Prompt; readonly session: Session; readonly reading: Reading }
  | { readonly type: 'succeeded'; readonly prompt: Prompt }
  | { readonly type: 'failed'; readonly prompt: Prompt; readonly error: ChainWalletError }
  /** Refused before the wallet was prompted. */
  | { readonly type: 'refused'; readonly error: ChainWalletError }
  | { readonly type: 'refreshed'; readonly session: Session; readonly reading: Reading }
  /** As `refreshed`, after `connect()` with the wallet in use. */
  | { readonly type: 'stillOpen'; readonly session: Session; readonly reading: Reading }
  | { readonly type: 'withdrawn'; readonly session: Session }
  /** The wallet no longer responds to calls without a prompt: its extension was updated, reloaded or removed. */
  | { readonly type: 'unresponsive'; readonly session: Session }
  /** The pending prompt is aborted; the connection stays. */
  | { readonly type: 'promptAborted' }
  | { readonly type: 'disconnectRequested' }

/** The public state of a session and the installed wallets. */
export function toWalletState(phase: WalletPhase, wallets: readonly WalletInfo[]): WalletState {
  const { connection, prompt, error } = phase
  const status = statusOf(phase)
  const promptedWallet = wallets.find(({ id }) => id === prompt?.wallet) ?? null
  const wallet = status !== 'connecting' && 'session' in connection ? connection.session.wallet.info : promptedWallet
  const open = connection.status === 'connected' ? connection : null
  return {
    ...NO_WALLET,
    ...open?.account,
    balance: open?.balance && 'confirmed' in open.balance ? open.balance : null,
    reportedBalance: open?.balance?.total ?? null,
    canSendMany: open?.session.wallet.canSendMany ?? false,
    canSignPskb: open?.session.wallet.signPskb !== undefined,
    status,
    wallet: status === 'disconnected' ? null : wallet,
    provider: HAVE_PROVIDER.includes(status) ? toProvider(wallet?.id) : null,
    pending: prompt?.operation ?? null,
    error,
    installed: wallets.map(({ id }) => toProvider(id)).filter((provider) => provider !== null),
    discovered: wallets.filter(({ id }) => toProvider(id) === null),
  }
}

const HAVE_PROVIDER: readonly WalletStatus[] = ['connected', 'locked', 'wrong-network']

/** The wallet in use stays until a `connect` prompt succeeds. Restoring is shown as `disconnected`. */
function statusOf({ connection, prompt }: WalletPhase): WalletStatus {
  if (connection.status !== 'connected' && prompt?.operation === 'connect') return 'connecting'
  return connection.status === 'restoring' ? 'disconnected' : connection.status
}

const FIELDS = /*#__PURE__*/ Object.keys(NO_WALLET) as (keyof WalletState)[]

const toProvider = (id: string | undefined): WalletProvider | null => (id === 'walletA' || id === 'walletB' ? id : null)

export const isSameState = (a: WalletState, b: WalletState): boolean =>
  FIELDS.every((field) => isSame(a[field], b[field]))

const isSame = (a: unknown, b: unknown): boolean =>
  Array.isArray(a) && Array.isArray(b) ? a.length === b.length && a.every((item, at) => item === b[at]) : a === b
