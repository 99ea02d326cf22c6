import { defer, forkJoin, map, of, switchMap, type Observable } from 'rxjs'
import { isPossibleAmount } from '../../../model/amount.js'
import { toOutpointKey, type OutpointKey, type UtxoEntry } from '../../../model/utxo.js'
import type { RpcResponse, RpcTransaction } from '../../../node/messages/records.js'
import { type AddressOfScript, toUnresolvedTransaction } from '../../chain/to-transaction.js'
import type { ChainInput, ChainTransaction } from '../../chain/batch.js'
import type { NodeLink } from '../../session/node-link.js'

type SpentOutput = Pick<ChainInput, 'address' | 'amount' | 'covenantId'>

/**
 * The mempool transactions of addresses, once. Errors with what a request rejects with, and where a record is
 * impossible.
 */
export const readMempool$ = (
  { call }: Pick<NodeLink, 'call'>,
  addresses: readonly string[],
  addressOf: AddressOfScript,
): Observable<readonly ChainTransaction[]> =>
  defer(() => {
    const request = { addresses, includeOrphanPool: false, filterTransactionPool: false }
    return call('getMempoolEntriesByAddresses', request).pipe(
      switchMap(({ entries }) => {
        const spending = entries.filter(({ sending }) => sending.length > 0).map(({ address }) => address)
        // the index has what the mempool spends; it does not say what an input of the mempool pays
        const spent$ =
          spending.length === 0 ? of([]) : call('getUtxosByAddresses', { addresses: spending }).pipe(map(toUtxos))
        return forkJoin([of(transactionsOf(entries)), spent$])
      }),
      map(([transactions, utxos]) => toTransactions(transactions, utxos, addressOf)),
    )
  })

const toUtxos = ({ entries }: RpcResponse<'getUtxosByAddresses'>): readonly UtxoEntry[] => entries

interface Pending {
  readonly id: string
  readonly transaction: RpcTransaction
  readonly fee: bigint
}

/** Each transaction once, although it is listed for every address. */
function transactionsOf(entries: RpcResponse<'getMempoolEntriesByAddresses'>['entries']): readonly Pending[] {
  const byId = new Map<string, Pending>()
  for (const { sending, receiving } of entries)
    for (const { isOrphan, transaction, fee } of [...sending, ...receiving]) {
      const id = transaction.verboseData?.transactionId ?? ''
      if (!isOrphan) byId.set(id, { id, transaction, fee })
    }
  return [...byId.values()]
}

function toTransactions(
  pending: readonly Pending[],
  utxos: readonly UtxoEntry[],
  addressOf: AddressOfScript,
): readonly ChainTransaction[] {
  const possible = utxos.filter(({ amount }) => isPossibleAmount(amount))
  const spendable = new Map<OutpointKey, SpentOutput>(
    possible.map(({ outpoint, scriptPublicKey, amount, covenantId }) => [
      toOutpointKey(outpoint),
      { address: addressOf(scriptPublicKey), amount, covenantId },
    ]),
  )
  const transactions = pending.map(({ id, transaction, fee }) => ({
    ...toUnresolvedTransaction(id, transaction, addressOf),
    fee,
  }))
  for (const { id, outputs } of transactions)
    for (const { index, address, amount, covenantId } of outputs)
      spendable.set(toOutpointKey({ transactionId: id, index }), { address, amount, covenantId })
  const resolve = (input: ChainInput): ChainInput => ({ ...input, ...spendable.get(toOutpointKey(input.outpoint)) })
  return transactions.map((one) => ({ ...one, inputs: one.inputs.map(resolve) }))
}
