import { ChainWalletError } from '../errors/wallet-error.js'
import type { WalletAccount, WalletSnapshot } from './port.js'

/** The account of an open wallet. Throws `not-connected` if the wallet exposes none after the user's approval. */
export function requireAccount(snapshot: WalletSnapshot): WalletAccount {
  if (snapshot.status !== 'open') throw noAccountError()
  return snapshot.account
}

/** The user approved, but the wallet exposes no account. */
export const noAccountError = (): ChainWalletError =>
  new ChainWalletError('connect', new Error('The wallet approved the connection but exposes no account'), {
    code: 'not-connected',
    hint: 'Select an account in the wallet, then call connect() again.',
  })
