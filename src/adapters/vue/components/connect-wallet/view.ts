import type { WalletOperation, WalletStatus } from '../../../../streams/wallet/state.js'

/** The views of the dialog. */
export type DialogView = 'choose' | 'connecting' | 'account' | 'locked' | 'contradictory' | 'disconnected'

const VIEWS: Readonly<Record<WalletStatus, DialogView>> = {
  disconnected: 'choose',
  connecting: 'connecting',
  connected: 'account',
  locked: 'locked',
  'wrong-network': 'contradictory',
  'disconnected-by-wallet': 'disconnected',
}

/** A pending connect request has priority over the status. */
export const toView = (status: WalletStatus, pending: WalletOperation | null): DialogView =>
  pending === 'connect' ? 'connecting' : VIEWS[status]
