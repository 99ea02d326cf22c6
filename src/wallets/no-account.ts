import { ChainWalletError } from '../errors/wallet-error.js'

/** The user agreed, and the wallet shows nothing. */
export const noAccount = (): ChainWalletError =>
  new ChainWalletError('connect', new Error('The wallet agreed, and shows no account'), {
    code: 'not-connected',
    hint: 'Choose an account in the wallet, and connect again.',
  })
