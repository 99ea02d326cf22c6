import { firstValueFrom, forkJoin, map } from 'rxjs'
import { invalidArgument } from '../../errors/chain-error.js'
import type { NodeLink } from '../session/node-link.js'
import type { PaymentRequestSettings } from './requests.js'

/** The address of a request, with its index on the account. */
export interface RequestPlace {
  readonly address: string
  readonly index?: number | undefined
}

export interface UnusedAddressDeps extends Pick<NodeLink, 'call'> {
  /** Whether another request has the address; where not, it has it from now on. */
  readonly reserve: (address: string) => boolean
}

/**
 * An address that has received nothing, as far as the node knows: the given one, or the next one of the account.
 * Rejects with `ChainError` (`invalid-argument`) for a given one that was used.
 */
export async function unusedAddress(
  { address, account }: Pick<PaymentRequestSettings, 'address' | 'account'>,
  deps: UnusedAddressDeps,
): Promise<RequestPlace> {
  if (address !== undefined) {
    if (!deps.reserve(address)) throw secondRequest()
    if (await isUsed(address, deps)) throw usedAddress()
    return { address }
  }
  for (;;) {
    const place = await account?.next()
    if (place === undefined) throw new RangeError('A request has an address or an account') // checked before
    if (deps.reserve(place.address) && !(await isUsed(place.address, deps))) return place
  }
}

/** Whether the UTXO index or the mempool has an output of the address. */
const isUsed = (address: string, { call }: UnusedAddressDeps): Promise<boolean> =>
  firstValueFrom(
    forkJoin([
      call('getUtxosByAddresses', { addresses: [address] }),
      call('getMempoolEntriesByAddresses', {
        addresses: [address],
        includeOrphanPool: false,
        filterTransactionPool: false,
      }),
    ]).pipe(
      map(
        ([utxos, mempool]) => utxos.entries.length > 0 || mempool.entries.some(({ receiving }) => receiving.length > 0),
      ),
    ),
  )

export const secondRequest = () =>
  invalidArgument(
    'address',
    'Another payment request has this address',
    'Give each request an address of its own, or open the stored request.',
  )

const usedAddress = () =>
  invalidArgument(
    'address',
    'The address has received payments before',
    'Give each request an address of its own: `account` takes the next unused one.',
  )
