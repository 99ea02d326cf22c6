import type { ChainWalletError } from '../../../../errors/wallet-error.js'
import type { DialogTexts } from './texts.js'

/** Display name of a network: `testnet-10` becomes `Testnet 10`. */
export const toNetworkName = (network: string): string =>
  network.charAt(0).toUpperCase() + network.slice(1).replaceAll('-', ' ')

/** Codes without a message: the user aborted the operation. */
const HIDDEN_CODES = ['aborted']

/**
 * The message for an error of `connect` or `switchNetwork`; null for other operations, which the app handles, and
 * without an error.
 */
export function toProblemText(error: ChainWalletError | null, { problems }: DialogTexts): string | null {
  if (error === null || HIDDEN_CODES.includes(error.code)) return null
  if (error.operation !== 'connect' && error.operation !== 'switchNetwork') return null
  return problems[error.code] ?? problems.failed
}
