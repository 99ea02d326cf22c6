import { isValidAddress, toAddress, toScriptPublicKey } from '../../model/address.js'
import type { Indexer } from './indexer.js'
import { matching, type Fields } from './http/reader.js'
import { refuse } from './http/reply.js'

/** How the server looks at addresses: twice, and not everywhere. */

const patternOf = ({ network }: Indexer): string => `^${network.addressPrefix}:[a-z0-9]{61,63}$`

/** The address of a path: its outer form is looked at while it is read. */
export const addressInPath = (indexer: Indexer) => ({ kaspaAddress: matching(patternOf(indexer)) }) satisfies Fields

/** The checksum is looked at later. */
export function checkAddress(address: string): string {
  if (isValidAddress(address)) return address
  throw refuse(400, `Invalid address: ${String(address)}`)
}

export const isOfNetwork = (indexer: Indexer, address: string): boolean => new RegExp(patternOf(indexer)).test(address)

/** The same key on this network: the node asks for nothing but the script. */
export const toOwn = ({ network }: Indexer, address: string): string =>
  toAddress(toScriptPublicKey(address), network.addressPrefix) ?? address

/** What the server asks about where a body names no addresses; its checksum is right on mainnet alone. */
export const sampleAddresses = ({ network }: Indexer): readonly string[] => [
  `${network.addressPrefix}:qpqz2vxj23kvh0m73ta2jjn2u4cv4tlufqns2eap8mxyyt0rvrxy6ejkful67`,
]
