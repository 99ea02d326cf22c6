import type { WalletOperation, WalletStatus } from '../../../../streams/wallet/state.js'

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
