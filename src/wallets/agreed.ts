import { ChainWalletError } from '../errors/wallet-error.js'
import type { WalletAccount, WalletGlimpse } from './port.js'

/** The account that a wallet shows after its user has agreed. Throws where it shows none. */
export function agreed(glimpse: WalletGlimpse): WalletAccount {
  if (glimpse.status !== 'open') throw noAccount()
  return glimpse.account
}

/** The user agreed, and the wallet shows nothing. */
export const noAccount = (): ChainWalletError =>
  new ChainWalletError('connect', new Error('The wallet agreed, and shows no account'), {
    code: 'not-connected',
    hint: 'Choose an account in the wallet, and connect again.',
  })
