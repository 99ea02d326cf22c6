import type { WalletAccount } from '../../wallets/port.js'
import type { Prompt, Reading, Session, WalletConnection, WalletEvent, WalletPhase } from './phases.js'
import { notResponding } from './prompt-errors.js'

/** The initial phase: restores the last visit's wallet, if there is one. */
export const initialPhase = (remembered: string | null): WalletPhase => ({
  connection: remembered === null ? { status: 'disconnected' } : { status: 'restoring', wallet: remembered },
  prompt: null,
  error: null,
})

/** The next phase; the same object where the event has no meaning. */
export function reduceWallet(phase: WalletPhase, event: WalletEvent): WalletPhase {
  switch (event.type) {
    case 'restored':
      return phase.connection.status === 'restoring'
        ? { ...phase, connection: toConnection(event.session, event.reading) }
        : phase
    case 'notFound':
      return phase.connection.status === 'restoring' ? { ...phase, connection: { status: 'disconnected' } } : phase
    case 'prompted':
      return phase.prompt === null ? openPrompt(phase, event.prompt) : phase
    case 'connected':
      return phase.prompt === event.prompt
        ? { connection: toConnection(event.session, event.reading), prompt: null, error: null }
        : phase
    case 'succeeded':
      return phase.prompt === event.prompt ? { ...phase, prompt: null, error: null } : phase
    case 'failed':
      return phase.prompt === event.prompt ? { ...phase, prompt: null, error: event.error } : phase
    case 'refused':
      return { ...phase, error: event.error }
    case 'refreshed':
      return isCurrent(phase.connection, event.session) ? applyReading(phase, event.session, event.reading) : phase
    case 'stillOpen':
      return isCurrent(phase.connection, event.session)
        ? applyReading(clearError(phase), event.session, event.reading)
        : phase
    case 'withdrawn':
      return phase.connection.status === 'connected' && phase.connection.session === event.session
        ? { ...phase, connection: { status: 'disconnected-by-wallet', session: event.session } }
        : phase
    case 'unresponsive':
      return isCurrent(phase.connection, event.session) ? applyUnresponsive(phase, event.session) : phase
    case 'promptAborted':
      return phase.prompt === null ? phase : { ...phase, prompt: null, error: null }
    case 'disconnectRequested':
      return isIdle(phase) ? phase : initialPhase(null)
  }
}

/**
 * The wallet no longer responds: its account is not shown any more, and its pending prompt fails with the state's
 * error.
 */
function applyUnresponsive(phase: WalletPhase, session: Session): WalletPhase {
  const { prompt } = phase
  const isPending = prompt !== null && prompt.wallet === session.wallet.info.id
  if (phase.connection.status === 'disconnected-by-wallet' && !isPending) return phase
  const connection = { status: 'disconnected-by-wallet', session } as const
  return isPending ? { connection, prompt: null, error: notResponding(prompt) } : { ...phase, connection }
}

/** Whether this session is the current one. */
export const isCurrent = (connection: WalletConnection, session: Session): boolean =>
  'session' in connection && connection.session === session

const isIdle = ({ connection, prompt, error }: WalletPhase): boolean =>
  connection.status === 'disconnected' && prompt === null && error === null

/** Opens a prompt. A `connect` prompt ends the restoration of the last visit's wallet. */
function openPrompt(phase: WalletPhase, prompt: Prompt): WalletPhase {
  const replacesRestore = prompt.operation === 'connect' && phase.connection.status === 'restoring'
  return { connection: replacesRestore ? { status: 'disconnected' } : phase.connection, prompt, error: null }
}

const clearError = (phase: WalletPhase): WalletPhase => (phase.error === null ? phase : { ...phase, error: null })

const toConnection = (session: Session, reading: Reading): WalletConnection =>
  reading.status === 'open' ? { ...reading, status: 'connected', session } : { status: reading.status, session }

/** Applies a new reading; while the balance is still being read, the last balance of the same account stays. */
function applyReading(phase: WalletPhase, session: Session, reading: Reading): WalletPhase {
  const before = phase.connection
  const after = toConnection(session, reading)
  if (before.status === 'connected' && after.status === 'connected') {
    const isSame = isSameAccount(before.account, after.account)
    const balance = after.balance === undefined && isSame ? before.balance : after.balance
    if (isSame && isSameRecord(before.balance, balance)) return phase
    return { ...phase, connection: { ...after, balance } }
  }
  return before.status === after.status ? phase : { ...phase, connection: after }
}

export const isSameAccount = (a: WalletAccount, b: WalletAccount): boolean =>
  a.address === b.address && a.publicKey === b.publicKey && a.network === b.network

function isSameRecord<T extends object>(a: T | null | undefined, b: T | null | undefined): boolean {
  if (!a || !b) return a === b
  return (Object.keys({ ...a, ...b }) as (keyof T)[]).every((key) => a[key] === b[key])
}
