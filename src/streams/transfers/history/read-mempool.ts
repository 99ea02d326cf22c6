import { EMPTY, catchError, defer, forkJoin, map, of, switchMap, type Observable } from 'rxjs'
import { toOutpointKey, type OutpointKey, type UtxoEntry } from '../../../model/utxo.js'
import type { RpcResponse, RpcTransaction } from '../../../node/messages/records.js'
import type { ChainInput, ChainTransaction } from '../../chain/batch.js'
import type { NodeLink } from '../../session/node-link.js'
import type { AddressFilter } from '../extract.js'
import { toEntry, type TransferEntry } from './entry.js'

type SpentOutput = Pick<ChainInput, 'address' | 'amount'>

/** The mempool transactions of addresses, once. Empty where the read fails: the next one corrects it. */
export const readMempool$ = (
  { call }: Pick<NodeLink, 'call'>,
  addresses: readonly string[],
  filter: AddressFilter,
): Observable<readonly TransferEntry[]> =>
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
      map(([transactions, utxos]) => toEntries(transactions, utxos, filter)),
      catchError(() => EMPTY),
    )
  })

const toUtxos = ({ entries }: RpcResponse<'getUtxosByAddresses'>): readonly UtxoEntry[] => entries

interface Pending {
  readonly transaction: RpcTransaction
  readonly fee: bigint
}

/** Each transaction once, although it is listed for every address. */
function transactionsOf(entries: RpcResponse<'getMempoolEntriesByAddresses'>['entries']): readonly Pending[] {
  const byId = new Map<string, Pending>()
  for (const { sending, receiving } of entries)
    for (const entry of [...sending, ...receiving])
      if (!entry.isOrphan) byId.set(entry.transaction.verboseData?.transactionId ?? '', entry)
  return [...byId.values()]
}

function toEntries(
  pending: readonly Pending[],
  utxos: readonly UtxoEntry[],
  filter: AddressFilter,
): readonly TransferEntry[] {
  const spendable = new Map<OutpointKey, SpentOutput>(
    utxos.map(({ outpoint, address = null, amount }) => [toOutpointKey(outpoint), { address, amount }]),
  )
  for (const { transaction } of pending)
    for (const [index, { value, verboseData }] of transaction.outputs.entries()) {
      const key = toOutpointKey({ transactionId: transaction.verboseData?.transactionId ?? '', index })
      spendable.set(key, { address: verboseData?.scriptPublicKeyAddress ?? null, amount: value })
    }
  return pending.flatMap((one) => toEntry(toTransaction(one, spendable), null, filter) ?? [])
}

const UNKNOWN: SpentOutput = { address: null, amount: null }

function toTransaction(
  { transaction, fee }: Pending,
  spendable: ReadonlyMap<OutpointKey, SpentOutput>,
): ChainTransaction {
  const { version, payload, mass, inputs, outputs, verboseData } = transaction
  return {
    id: verboseData?.transactionId ?? '',
    version,
    payload,
    isCoinbase: false,
    storageMass: mass,
    computeMass: verboseData?.computeMass ?? 0n,
    inputs: inputs.map(({ previousOutpoint }) => ({
      outpoint: previousOutpoint,
      ...(spendable.get(toOutpointKey(previousOutpoint)) ?? UNKNOWN),
    })),
    outputs: outputs.map(({ value, scriptPublicKey, verboseData: output }, index) => ({
      index,
      address: output?.scriptPublicKeyAddress ?? null,
      amount: value,
      scriptPublicKey,
    })),
    fee,
  }
}
