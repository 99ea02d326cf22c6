import { isValidAddress, toAddress, toScriptPublicKey } from '../../model/address.js'
import type { Indexer } from './indexer.js'
import { matching, type Fields } from './http/reader.js'
import { refuse } from './http/reply.js'

/** The server validates addresses in two steps, and not at every endpoint. */

const patternOf = ({ network }: Indexer): string => `^${network.addressPrefix}:[a-z0-9]{61,63}$`

/** The address in a path, validated by its pattern only. */
export const addressParam = (indexer: Indexer) => ({ kaspaAddress: matching(patternOf(indexer)) }) satisfies Fields

/** Validates the checksum. */
export function checkAddress(address: string): string {
  if (isValidAddress(address)) return address
  throw refuse(400, `Invalid address: ${String(address)}`)
}

export const isOfNetwork = (indexer: Indexer, address: string): boolean => new RegExp(patternOf(indexer)).test(address)

/** The same script's address on this network: the node compares scripts only. */
export const toNetworkAddress = ({ network }: Indexer, address: string): string =>
  toAddress(toScriptPublicKey(address), network.addressPrefix) ?? address

/** The server's example address, used if a body has no addresses; its checksum is valid on mainnet only. */
export const sampleAddresses = ({ network }: Indexer): readonly string[] => [
  `${network.addressPrefix}:qpqz2vxj23kvh0m73ta2jjn2u4cv4tlufqns2eap8mxyyt0rvrxy6ejkful67`,
]
