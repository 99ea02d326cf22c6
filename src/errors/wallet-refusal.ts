import { ChainWalletError } from './wallet-error.js'

/** Creates the error of an argument that is rejected before the wallet is called; `cause` says what is wrong with it. */
export const refuseArgument = (operation: string, argument: string, cause: Error, hint?: string): ChainWalletError =>
  new ChainWalletError(operation, cause, { code: 'invalid-argument', argument, hint })
