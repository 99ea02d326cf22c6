import {
  NEVER,
  catchError,
  concat,
  distinctUntilChanged,
  exhaustMap,
  from,
  map,
  of,
  startWith,
  switchAll,
  switchMap,
  type Observable,
} from 'rxjs'
import { ChainError, isValidAddress, sompiToKaspa, type ChainEngine } from 'vue-chain/streams'
import type { BalanceState, TransactionStatus } from 'vue-chain/streams'
import { pay, type Account, type Order } from './pay'

/** The state of the connection in a word; why, where there is none. */
export const connection$ = ({ connection }: ChainEngine): Observable<string> =>
  connection.state$.pipe(map(({ status, error }) => (error === null ? status : `${status}: ${error.message}`)))

/** The DAA score of the network: about ten a second on mainnet. */
export const score$ = (engine: ChainEngine): Observable<string> => engine.virtualDaaScore$.pipe(map(String))

/** The balance of the latest address, live. */
export const balance$ = (engine: ChainEngine, address$: Observable<string>): Observable<string> =>
  address$.pipe(
    distinctUntilChanged(),
    switchMap((address) => (isValidAddress(address) ? engine.balances$([address]).pipe(map(toBalanceText)) : of('–'))),
  )

/** What happens with the latest payment. An order during a payment is ignored: a second click never pays twice. */
export const payment$ = (
  engine: ChainEngine,
  account: Account | null,
  orders$: Observable<Order>,
): Observable<string> =>
  orders$.pipe(
    exhaustMap((order) =>
      from(pay(engine, account, order)).pipe(
        map((id) => engine.transactionStatus$(id).pipe(map(toPaymentText))),
        catchError((error: unknown) => failure$(engine, error)),
      ),
    ),
    switchAll(),
  )

/**
 * What failed. Where that does not prove that nothing was sent, such as a refusal, no further order is taken, and the
 * payment is followed: a second one would be made beside it.
 */
function failure$(engine: ChainEngine, error: unknown): Observable<Observable<string>> {
  const text = explain(error)
  if (!(error instanceof ChainError) || error.outcome !== 'unknown') return of(of(text))
  const { transactionId: id } = error // of a browser wallet there is none
  const status$ = id === undefined ? NEVER : engine.transactionStatus$(id).pipe(map(toPaymentText))
  return concat(
    of(
      status$.pipe(
        map((status) => `${text} ${status}`),
        startWith(text),
      ),
    ),
    NEVER,
  )
}

function toBalanceText({ balance, freshness, error }: BalanceState): string {
  if (error !== null) return error.message
  if (freshness === 'unknown' || freshness === 'loading') return '–'
  const unconfirmed = balance.unconfirmed > 0n ? `, of which ${sompiToKaspa(balance.unconfirmed)} unconfirmed` : ''
  return `${sompiToKaspa(balance.total)} KAS${unconfirmed}`
}

/** Until the node was read, the status of a payment that was just sent is `unknown`. */
const toPaymentText = ({ transactionId, status, confirmations }: TransactionStatus): string =>
  `${transactionId}: ${status === 'unknown' ? 'sent' : status}, ${confirmations} confirmations`

/** What happened, and the remedy where there is one. */
const explain = (error: unknown): string =>
  error instanceof ChainError ? [error.message, error.hint].filter(Boolean).join('. ') : String(error)
