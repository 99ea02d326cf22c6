import type { Account } from '../../streams/accounts/accounts.js'
import type { AddressSupply } from './create-request.js'
import type { PaymentsEngine } from './options.js'

/** Addresses that are looked up by one call. */
const AHEAD = 20

/**
 * The receive addresses of an account, without those that have UTXOs. They are looked up before they are needed, so
 * that the lock of the account is not held during a call. What an address receives later than its order counts,
 * whichever program has seen it.
 */
export function createAddressSupply(
  account: Pick<Account, 'address'>,
  startIndex: number,
  { rpc }: Pick<PaymentsEngine, 'rpc'>,
): AddressSupply {
  const used = new Map<number, boolean>()
  const lookUp = async (from: number): Promise<void> => {
    const indexes = Array.from({ length: AHEAD }, (_, at) => from + at)
    const entries = await rpc.getUtxosByAddresses(indexes.map((index) => account.address(index)))
    const funded = new Set(entries.map(({ address }) => address))
    used.clear() // of indexes below, which are given out
    for (const index of indexes) used.set(index, funded.has(account.address(index)))
  }
  return {
    account: account.address(0),
    startIndex,
    addressAt: (index) => account.address(index),
    async isUsed(index) {
      if (!used.has(index)) await lookUp(index)
      return used.get(index) === true
    },
  }
}
