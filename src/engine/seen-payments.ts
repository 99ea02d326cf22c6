import { EMPTY, combineLatest, distinctUntilChanged, filter, map, merge, mergeMap, of, switchMap, take } from 'rxjs'
import type { Observable } from 'rxjs'
import { isAddressOnNetwork } from '../model/network-of-address.js'
import { NETWORKS, type ChainNetwork } from '../model/network.js'
import type { SeenPayments } from '../streams/wallet/create-session.js'
import type { InterruptedPayment, SeenPayment } from '../streams/wallet/interrupted.js'
import { CLOCK_SKEW, creditOf, isDebit } from '../streams/wallet/match-payment.js'
import { type CoreParts, feature } from './core-parts.js'
import { scores } from './features/node.js'
import { transferHistory } from './features/transfer-history.js'
import { liveUtxos } from './features/utxos.js'

type IsTaken = Parameters<SeenPayments>[1]

/**
 * Interrupted payments that the connected node shows: by a credit of their recipients, which also one before the
 * connection leaves, or by a debit of the paying address. Opens no connection and calls no indexer. Never errors.
 */
export const seenPayments$ = (
  core: CoreParts,
  payments: readonly InterruptedPayment[],
  isTaken: IsTaken,
): Observable<SeenPayment> =>
  combineLatest([core.connection.state$, core.network$]).pipe(
    map(([{ status }, network]) => (status === 'connected' ? network : null)),
    distinctUntilChanged(),
    switchMap((network) => {
      if (network === null) return EMPTY
      const here = payments.filter(({ from }) => isAddressOnNetwork(from, network))
      return here.length === 0 ? EMPTY : merge(credited$(core, network, here, isTaken), debited$(core, here, isTaken))
    }),
  )

/** A payment's earliest DAA score follows from its age. */
const credited$ = (
  core: CoreParts,
  network: ChainNetwork,
  payments: readonly InterruptedPayment[],
  isTaken: IsTaken,
): Observable<SeenPayment> => {
  const recipients = new Set(payments.flatMap(({ outputs }) => outputs.map(({ address }) => address)))
  const state$ = feature(core, liveUtxos)(of([...recipients]), { mempoolInterval: 0 }).state$
  return feature(core, scores).virtualDaaScore$.pipe(
    take(1),
    switchMap((score) => {
      const now = core.platform.now()
      const since = ({ startedAt }: InterruptedPayment): bigint =>
        score - BigInt(Math.ceil(Math.max(0, now - startedAt + CLOCK_SKEW) / NETWORKS[network].targetTimePerBlock))
      return state$.pipe(
        filter(({ freshness }) => freshness === 'fresh'),
        mergeMap(({ entries }) =>
          payments.flatMap((payment) => {
            const transactionId = creditOf(payment, entries, since(payment), isTaken)
            return transactionId === undefined ? [] : [{ id: payment.id, transactionId }]
          }),
        ),
      )
    }),
    filter(({ transactionId }) => !isTaken(transactionId)), // by the payment before it in the list
  )
}

const debited$ = (
  core: CoreParts,
  payments: readonly InterruptedPayment[],
  isTaken: IsTaken,
): Observable<SeenPayment> => {
  const payers = [...new Set(payments.map(({ from }) => from))]
  return merge(
    ...payers.map((payer) =>
      feature(core, transferHistory)(of([payer]), { indexer: false }).state$.pipe(
        mergeMap(({ transfers }) =>
          payments
            .filter(({ from }) => from === payer)
            .flatMap((payment) => {
              const found = transfers.find((entry) => !isTaken(entry.transactionId) && isDebit(payment, entry))
              return found === undefined ? [] : [{ id: payment.id, transactionId: found.transactionId }]
            }),
        ),
      ),
    ),
  ).pipe(filter(({ transactionId }) => !isTaken(transactionId)))
}
