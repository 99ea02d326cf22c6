import { EMPTY, catchError, map, tap, type Observable } from 'rxjs'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'
import { toAddress } from '../../model/address.js'
import type { RpcMempoolEntry, RpcTransactionOutput } from '../../node/messages/records.js'
import type { NodeLink } from '../session/node-link.js'
import type { Book } from './book.js'
import { setIncoming, type Incoming } from './incoming.js'

/** Looks once for payments that are on their way to the addresses of some books. A look that fails is left for the next. */
export function lookAtMempool$(
  some: readonly Book[],
  { call, network }: Pick<NodeLink, 'call' | 'network'>,
): Observable<unknown> {
  const request = {
    addresses: some.map(({ address }) => address),
    includeOrphanPool: false,
    filterTransactionPool: false, // true would leave out all but orphans
  }
  return call('getMempoolEntriesByAddresses', request).pipe(
    map(({ entries }) => new Map(entries.map(({ address, receiving }) => [address, receiving]))),
    tap((receiving) => {
      for (const book of some) setIncoming(book, toIncoming(book.address, receiving.get(book.address) ?? [], network()))
    }),
    catchError(() => EMPTY), // what is on its way is a hint; the next look, or the payment itself, will tell
  )
}

/** The outputs of some mempool entries that pay to an address. */
export function toIncoming(
  address: string,
  entries: readonly RpcMempoolEntry[],
  network: ChainNetwork,
): readonly Incoming[] {
  return entries.flatMap(({ transaction: { outputs, verboseData } }) => {
    const transactionId = verboseData?.transactionId
    if (transactionId === undefined) return []
    const incoming = outputs.map((output, index) => ({ output, outpoint: { transactionId, index } }))
    return incoming
      .filter(({ output }) => payee(output, network) === address)
      .map(({ output, outpoint }) => ({ outpoint, amount: output.value }))
  })
}

const payee = ({ verboseData, scriptPublicKey }: RpcTransactionOutput, network: ChainNetwork): string | undefined =>
  verboseData?.scriptPublicKeyAddress ?? toAddress(scriptPublicKey, NETWORKS[network].addressPrefix)
