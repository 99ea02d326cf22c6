import type { ChainNetwork } from '../../model/network.js'

/** The stream of a network: all that a feed publishes, and nothing else. */
export const streamOf = (network: ChainNetwork): string => `chain-${network}`

/** All subjects of the stream. */
export const allSubjects = (network: ChainNetwork): string => `chain.${network}.>`

/**
 * The beginning and the end of each batch, with what concerns all transfers: rollbacks, added and removed addresses.
 */
export const batchSubject = (network: ChainNetwork): string => `chain.${network}.batch`

/**
 * The transfers of an address. The address is one token, with its prefix: `:` is an ordinary character in a subject.
 */
export const transferSubject = (network: ChainNetwork, address: string): string =>
  `chain.${network}.transfer.${address}`

/** The transfers of all addresses. */
export const transferSubjects = (network: ChainNetwork): string => `chain.${network}.transfer.*`

/** Snapshots of the watched addresses: for the feed itself. */
export const watchedSubject = (network: ChainNetwork): string => `chain.${network}.watched`
