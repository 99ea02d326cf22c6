import type { ChainWalletError } from '../../../../errors/wallet-error.js'
import { sompiToKaspa } from '../../../../model/amount.js'
import { NETWORKS, isChainNetwork } from '../../../../model/network.js'
import type { DialogTexts } from './texts.js'

/** `testnet-10` as a reader writes it: Testnet 10. */
export const toNetworkName = (network: string): string =>
  network.charAt(0).toUpperCase() + network.slice(1).replaceAll('-', ' ')

/** An amount with its unit, digits before the point in groups: `1 234.5 KAS`. The spaces belong to the number, also from right to left. */
export function toAmount(sompi: bigint, network: string | null): string {
  const [whole = '', fraction] = sompiToKaspa(sompi).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '\u202f')
  const unit = isChainNetwork(network) ? NETWORKS[network].unit : 'KAS'
  return `${fraction === undefined ? grouped : `${grouped}.${fraction}`} ${unit}`
}

/** The codes of what is nobody's problem: the user has given it up. */
const SILENT = ['cancelled']

/** What went wrong in the component's own operations, in words; null for nothing, and for what others have begun. */
export function toProblem(error: ChainWalletError | null, { problems }: DialogTexts): string | null {
  if (error === null || SILENT.includes(error.code)) return null
  if (error.operation !== 'connect' && error.operation !== 'switchNetwork') return null
  return problems[error.code] ?? problems.failed
}
