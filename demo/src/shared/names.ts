import { accounts } from '../devnode'
import { shorten } from './format'

const names = new Map(accounts.map(({ address, index }) => [address, `Account ${index}`]))

/** The account name of an address, or the shortened address. */
export const nameOf = (address: string): string => names.get(address) ?? shorten(address)
