import type { WalletOperation, WalletStatus } from '../../../../streams/wallet/wallet-session.js'

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

/**
 * The view of an open prompt has priority over the status; that of a network switch is part of the warning about the
 * wrong network, where there is one.
 */
export function toView(status: WalletStatus, pending: WalletOperation | null, isOnWrongNetwork: boolean): DialogView {
  if (pending === null || (pending === 'switchNetwork' && isOnWrongNetwork)) return VIEWS[status]
  return 'connecting'
}
