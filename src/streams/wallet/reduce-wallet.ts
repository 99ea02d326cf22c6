import type { WalletAccount } from '../../wallets/port.js'
import type { Prompt, Reading, Session, Standing, WalletEvent, WalletPhase } from './phases.js'

/** Where a visit begins: with the wallet of the last one, where there was one. */
export const beginWith = (remembered: string | null): WalletPhase => ({
  standing: remembered === null ? { status: 'disconnected' } : { status: 'restoring', wallet: remembered },
  prompt: null,
  error: null,
})

/** What a wallet session becomes after `event`; the very same object where the event means nothing. */
export function reduceWallet(phase: WalletPhase, event: WalletEvent): WalletPhase {
  switch (event.type) {
    case 'restored':
      return phase.standing.status === 'restoring' ? { ...phase, standing: stand(event.session, event.reading) } : phase
    case 'missed':
      return phase.standing.status === 'restoring' ? { ...phase, standing: { status: 'disconnected' } } : phase
    case 'asked':
      return phase.prompt === null ? ask(phase, event.prompt) : phase
    case 'connected':
      return phase.prompt === event.prompt
        ? { standing: stand(event.session, event.reading), prompt: null, error: null }
        : phase
    case 'answered':
      return phase.prompt === event.prompt ? { ...phase, prompt: null, error: null } : phase
    case 'failed':
      return phase.prompt === event.prompt ? { ...phase, prompt: null, error: event.error } : phase
    case 'refused':
      return { ...phase, error: event.error }
    case 'looked':
      return isWith(phase.standing, event.session) ? look(phase, event.session, event.reading) : phase
    case 'stillOpen':
      return isWith(phase.standing, event.session) ? look(forgive(phase), event.session, event.reading) : phase
    case 'withdrawn':
      return phase.standing.status === 'connected' && phase.standing.session === event.session
        ? { ...phase, standing: { status: 'gone', session: event.session } }
        : phase
    case 'disconnectRequested':
      return isIdle(phase) ? phase : beginWith(null)
  }
}

/** Whether this session is the one in use. */
export const isWith = (standing: Standing, session: Session): boolean =>
  'session' in standing && standing.session === session

const isIdle = ({ standing, prompt, error }: WalletPhase): boolean =>
  standing.status === 'disconnected' && prompt === null && error === null

/** A question is put. Who asks for a wallet does not want the last visit's any more. */
function ask(phase: WalletPhase, prompt: Prompt): WalletPhase {
  const isSuperseded = prompt.operation === 'connect' && phase.standing.status === 'restoring'
  return { standing: isSuperseded ? { status: 'disconnected' } : phase.standing, prompt, error: null }
}

/** What failed before is over once an operation succeeds. */
const forgive = (phase: WalletPhase): WalletPhase => (phase.error === null ? phase : { ...phase, error: null })

const stand = (session: Session, reading: Reading): Standing =>
  reading.status === 'open' ? { ...reading, status: 'connected', session } : { status: reading.status, session }

/** A later look at the same wallet; of a money that is still being counted, what was known of the same account holds. */
function look(phase: WalletPhase, session: Session, reading: Reading): WalletPhase {
  const before = phase.standing
  const after = stand(session, reading)
  if (before.status === 'connected' && after.status === 'connected') {
    const isSame = isSameAccount(before.account, after.account)
    const balance = after.balance === undefined && isSame ? before.balance : after.balance
    if (isSame && isSameRecord(before.balance, balance)) return phase
    return { ...phase, standing: { ...after, balance } }
  }
  return before.status === after.status ? phase : { ...phase, standing: after }
}

const isSameAccount = (a: WalletAccount, b: WalletAccount): boolean =>
  a.address === b.address && a.publicKey === b.publicKey && a.network === b.network

function isSameRecord<T extends object>(a: T | null | undefined, b: T | null | undefined): boolean {
  if (!a || !b) return a === b
  return (Object.keys(a) as (keyof T)[]).every((key) => a[key] === b[key])
}
