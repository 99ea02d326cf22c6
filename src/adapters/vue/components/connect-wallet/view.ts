import type { WalletOperation, WalletStatus } from '../../../../streams/wallet/state.js'
import type { TriggerState } from './slots.js'

/** What the dialog shows. */
export type DialogView = 'choose' | 'connecting' | 'account' | 'locked' | 'gone'

const VIEWS: Readonly<Record<WalletStatus, DialogView>> = {
  disconnected: 'choose',
  connecting: 'connecting',
  connected: 'account',
  locked: 'locked',
  gone: 'gone',
}

/** A wallet that is asked for an account is waited for, whatever it was before. */
export const toView = (status: WalletStatus, pending: WalletOperation | null): DialogView =>
  pending === 'connect' ? 'connecting' : VIEWS[status]

/** What the button speaks of. `expected` is the network that the page works on, null where any will do. */
export function toTriggerState(status: WalletStatus, network: string | null, expected: string | null): TriggerState {
  return status === 'connected' && isElsewhere(network, expected) ? 'wrong-network' : status
}

/** Whether a wallet is known to be on another network than it should. */
export const isElsewhere = (network: string | null, expected: string | null): boolean =>
  network !== null && expected !== null && network !== expected
