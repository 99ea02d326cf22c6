import { ChainWalletError } from './wallet-error.js'

/** An argument that is refused before the wallet is asked: names it, and tells in the cause what is wrong with it. */
export const refuseArgument = (operation: string, argument: string, cause: Error, hint?: string): ChainWalletError =>
  new ChainWalletError(operation, cause, { code: 'invalid-argument', argument, hint })
