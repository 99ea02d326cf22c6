import {
  EMPTY,
  catchError,
  concatMap,
  from,
  ignoreElements,
  map,
  merge,
  switchMap,
  tap,
  timer,
  type Observable,
} from 'rxjs'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'
import { toAddress } from '../../model/address.js'
import { toOutpointKey, type OutpointKey } from '../../model/utxo.js'
import type { RpcMempoolEntry, RpcTransactionOutput } from '../../node/messages/records.js'
import type { NodeLink } from '../session/node-link.js'
import type { Book, Books } from './books.js'

/** Addresses in one question. */
const ADDRESSES_AT_ONCE = 1_000

export interface MempoolDeps extends Pick<NodeLink, 'session$' | 'call' | 'network' | 'platform'> {
  /** Ms between two looks; 0 for never. */
  readonly interval: number
  /** Looks wanted at once: addresses have come, a payment was made, someone asked. */
  readonly looks$: Observable<unknown>
}

/**
 * Looks for payments that are on their way to the addresses of some books: with each session, when one is wanted, and every
 * `interval` ms. A look that fails is left for the next. Never emits or errors.
 */
export function lookAtMempool$(books: Books, held: () => readonly Book[], deps: MempoolDeps): Observable<never> {
  const { session$, interval, looks$, platform } = deps
  if (interval === 0) return EMPTY
  return session$.pipe(
    switchMap((session) => (session === null ? EMPTY : merge(timer(0, interval, platform.scheduler), looks$))),
    switchMap(() => from(inChunks(held()))),
    concatMap((chunk) => look$(books, chunk, deps)),
    ignoreElements(),
  )
}

function look$(books: Books, chunk: readonly Book[], { call, network }: MempoolDeps): Observable<unknown> {
  const request = {
    addresses: chunk.map(({ address }) => address),
    includeOrphanPool: false,
    filterTransactionPool: false, // true would leave out all but orphans
  }
  return call('getMempoolEntriesByAddresses', request).pipe(
    map(({ entries }) => new Map(entries.map(({ address, receiving }) => [address, receiving]))),
    tap((receiving) => {
      for (const book of chunk)
        books.expect(book, toIncoming(book.address, receiving.get(book.address) ?? [], network()))
    }),
    catchError(() => EMPTY), // what is on its way is a hint; the next look, or the payment itself, will tell
  )
}

/** What the outputs of some mempool entries pay to an address, by outpoint. */
export function toIncoming(
  address: string,
  entries: readonly RpcMempoolEntry[],
  network: ChainNetwork,
): ReadonlyMap<OutpointKey, bigint> {
  const incoming = new Map<OutpointKey, bigint>()
  for (const { transaction } of entries) {
    const transactionId = transaction.verboseData?.transactionId
    if (transactionId === undefined) continue
    transaction.outputs.forEach((output, index) => {
      if (payee(output, network) === address) incoming.set(toOutpointKey({ transactionId, index }), output.value)
    })
  }
  return incoming
}

const payee = ({ verboseData, scriptPublicKey }: RpcTransactionOutput, network: ChainNetwork): string | undefined =>
  verboseData?.scriptPublicKeyAddress ?? toAddress(scriptPublicKey, NETWORKS[network].addressPrefix)

function* inChunks(books: readonly Book[]): Iterable<readonly Book[]> {
  for (let at = 0; at < books.length; at += ADDRESSES_AT_ONCE) yield books.slice(at, at + ADDRESSES_AT_ONCE)
}
