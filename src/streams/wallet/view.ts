import type { WalletInfo, WalletProvider } from '../../wallets/port.js'
import type { WalletPhase } from './phases.js'
import { NO_WALLET, type WalletState, type WalletStatus } from './state.js'

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
