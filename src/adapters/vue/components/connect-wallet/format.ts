import type { ChainWalletError } from '../../../../errors/wallet-error.js'
import { sompiToKaspa } from '../../../../model/amount.js'
import { NETWORKS, isChainNetwork } from '../../../../model/network.js'
import type { DialogTexts } from './texts.js'
import { groupDigits } from '../../../../model/group-digits.js'

/** Display name of a network: `testnet-10` becomes `Testnet 10`. */
export const toNetworkName = (network: string): string =>
  network.charAt(0).toUpperCase() + network.slice(1).replaceAll('-', ' ')

/**
 * An amount with digit groups and unit: `1 234.5 KAS`. The narrow no-break spaces keep the groups together in
 * right-to-left text.
 */
export function toAmount(sompi: bigint, network: string | null): string {
  const [whole = '', fraction] = sompiToKaspa(sompi).split('.')
  const grouped = groupDigits(whole, '\u202f')
  const unit = isChainNetwork(network) ? NETWORKS[network].unit : 'KAS'
  return `${fraction === undefined ? grouped : `${grouped}.${fraction}`} ${unit}`
}

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
