import { sompiToKaspa } from './amount.js'
import { groupDigits } from './group-digits.js'
import { isChainNetwork, NETWORKS } from './network.js'

/**
 * An amount as a page shows it, with digit groups and the unit of its network: `1 234.5 TKAS`. The narrow no-break
 * spaces keep the groups together in right-to-left text. Without a network the unit is KAS.
 */
export function toAmountText(sompi: bigint, network: string | null): string {
  const [whole = '', fraction] = sompiToKaspa(sompi).split('.')
  const grouped = groupDigits(whole, '\u202f')
  const unit = isChainNetwork(network) ? NETWORKS[network].unit : 'KAS'
  return `${fraction === undefined ? grouped : `${grouped}.${fraction}`} ${unit}`
}
