import { networkInterfaces } from 'node:os'
import type { RequestRules } from '../../model/request-check.js'
import type { ListenAddress } from './listen.js'

/**
 * Which requests the servers of a devnode accept: of clients other than browsers, and of pages from loopback, `host` or
 * `origins`.
 */
export const rulesOf = ({ host, origins }: Pick<ListenAddress, 'host' | 'origins'>): RequestRules => ({
  host,
  origins,
  ownAddresses: () => Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address)),
})
