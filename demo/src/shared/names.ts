import { accounts } from '../devnode'
import { shorten } from './format'

const names = new Map(accounts.map(({ address, index }) => [address, `Account ${index}`]))

/** What the page calls an address: one of the accounts, or its ends. */
export const nameOf = (address: string): string => names.get(address) ?? shorten(address)
