import type { WalletInfo, WalletProvider } from '../../wallets/port.js'
import type { WalletPhase } from './phases.js'
import { NO_WALLET, type WalletState, type WalletStatus } from './state.js'

/** A session, and the wallets that are there, as everybody may see them. */
export function toWalletState(phase: WalletPhase, wallets: readonly WalletInfo[]): WalletState {
  const { standing, prompt, error } = phase
  const status = statusOf(phase)
  const asked = wallets.find(({ id }) => id === prompt?.wallet) ?? null
  const wallet = status !== 'connecting' && 'session' in standing ? standing.session.wallet.info : asked
  const open = standing.status === 'connected' ? standing : null
  return {
    ...NO_WALLET,
    ...open?.account,
    balance: open?.balance ?? null,
    status,
    wallet: status === 'disconnected' ? null : wallet,
    provider: status === 'connected' || status === 'locked' ? toProvider(wallet?.id) : null,
    pending: prompt?.operation ?? null,
    error,
    installed: wallets.map(({ id }) => toProvider(id)).filter((provider) => provider !== null),
    discovered: wallets.filter(({ id }) => toProvider(id) === null),
  }
}

/** An earlier wallet stays in use until the one that is asked for has answered; a silent search is nobody's business. */
function statusOf({ standing, prompt }: WalletPhase): WalletStatus {
  if (standing.status !== 'connected' && prompt?.operation === 'connect') return 'connecting'
  return standing.status === 'restoring' ? 'disconnected' : standing.status
}

const FIELDS = /*#__PURE__*/ Object.keys(NO_WALLET) as (keyof WalletState)[]

const toProvider = (id: string | undefined): WalletProvider | null => (id === 'walletA' || id === 'walletB' ? id : null)

/** Whether two views show the same. */
export const isSameState = (a: WalletState, b: WalletState): boolean =>
  FIELDS.every((field) => isSame(a[field], b[field]))

const isSame = (a: unknown, b: unknown): boolean =>
  Array.isArray(a) && Array.isArray(b) ? a.length === b.length && a.every((item, at) => item === b[at]) : a === b
