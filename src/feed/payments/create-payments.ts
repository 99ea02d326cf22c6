import { firstValueFrom, interval, map, merge, Subject } from 'rxjs'
import { guarded, silentLogger } from '../../engine/resolve-options.js'
import { ChainError, invalidArgument, refuseUnknown } from '../../errors/chain-error.js'
import { createAddressSupply, createRequest } from './create-request.js'
import { checkRequestId, checkSettings } from './check-settings.js'
import { queryOf, type PaymentClient, runPayments } from './run-payments.js'
import { readByIds, checkList, readList, readEvents } from './read-requests.js'
import { stateAt } from './evaluate.js'
import { PaymentCounters, readMetrics, type PaymentMetrics } from './metrics.js'
import { checkPaymentsOptions, type PaymentsOptions } from './options.js'
import type {
  Payer,
  PaymentEvent,
  PaymentListOptions,
  PaymentRequestRecord,
  PaymentSettings,
  Refund,
  RefundSettings,
} from './payment.js'
import { readRefunds, refund, unknownRequest } from './refunds.js'
import { toRequestRecord, type PaymentTables } from './request-rows.js'

/** Payment requests of a shop's server, in the tables of the feed. */
export interface Payments {
  /**
   * Stores a request and watches its address, in one database transaction: `client` is the caller's, with which both
   * are committed, once the feed or a first call without `client` has made the tables. The same id twice is the same
   * request, which it resolves to. Rejects with `ChainError` (`invalid-argument`) for an id that exists with another
   * amount, tolerance, confirmations or address, and for an address that was used before; with `ChainRpcError` where
   * the node cannot be reached.
   */
  create(
    settings: PaymentSettings,
    options?: { readonly client?: PaymentClient | undefined },
  ): Promise<PaymentRequestRecord>
  /** A request as of now; null where there is none. */
  get(id: string): Promise<PaymentRequestRecord | null>
  /** Requests, the newest one first. */
  list(options?: PaymentListOptions): Promise<readonly PaymentRequestRecord[]>
  /**
   * The changes of all requests in their order, from the one after `after` on, then each further one; ends with the
   * signal. Store `sequence` with what an event has changed: then each counts once. Webhooks are a hint beside it.
   */
  events(options?: {
    /** @default 0n, from the first one */
    readonly after?: bigint | undefined
    readonly signal?: AbortSignal | undefined
  }): AsyncIterableIterator<PaymentEvent>
  /** Who has paid a request. Rejects with `ChainError` (`invalid-argument`) for an unknown id. */
  payers(id: string): Promise<readonly Payer[]>
  /**
   * Pays a part of what was received back, to an address that the customer has named. The payout is stored with it, in
   * one database transaction. Rejects with `ChainError`: `unsupported` without `payouts`; `invalid-argument` for more
   * than is refundable, and for an unknown id; `failed` after a reorg until the request is confirmed again.
   */
  refund(id: string, settings: RefundSettings): Promise<Refund>
  /** The refunds of a request, the oldest one first. */
  refunds(id: string): Promise<readonly Refund[]>
  /**
   * Evaluates requests, looks at the mempool and delivers webhooks until the signal aborts, beside `feed.run()` with
   * `watch: 'table'`; any number of instances. A lost connection to the database is opened again, without end. Rejects
   * with `ChainError`.
   */
  run(options?: { readonly signal?: AbortSignal | undefined }): Promise<void>
  metrics(): Promise<PaymentMetrics>
}

/** How often events of other instances are looked for, in ms. */
const POLL_INTERVAL = 1_000

/** Creates payments, which connect to nothing before the first call. Throws `ChainError` (`invalid-argument`). */
export function createPayments(options: PaymentsOptions): Payments {
  const checked = checkPaymentsOptions(options)
  const { engine, account, payouts } = options
  const { schema, database, webhook, startIndex, mempoolInterval } = checked
  const { runner } = database
  const counters = new PaymentCounters()
  const logger = guarded(options.logger ?? silentLogger)
  const supply = account === undefined ? undefined : createAddressSupply(account, startIndex, engine)
  const written$ = new Subject<void>()
  const changes$ = merge(written$, interval(POLL_INTERVAL)).pipe(map(() => undefined))
  const tablesOf = async (): Promise<PaymentTables> => {
    const { network } = await firstValueFrom(engine.connection.state$)
    if (account !== undefined && account.network !== network)
      throw invalidArgument('account', `The account is of ${account.network}, and the engine's network is ${network}`)
    return { schema, network }
  }
  const get = async (id: string): Promise<PaymentRequestRecord | null> => {
    const tables = await tablesOf()
    const { rows, position } = await runner.run((query) => readByIds(query, tables, [checkRequestId(id)]))
    const [row] = rows
    return row === undefined ? null : toRequestRecord(row, position)
  }

  return {
    async create(settings, { client } = {}) {
      const tables = await tablesOf()
      const checkedSettings = checkSettings(settings, tables.network)
      const { virtualDaaScore: daaScore } = await engine.rpc.getServerInfo()
      if (checkedSettings.address !== null) await requireUnfunded(checkedSettings.address, options)
      const context = { tables, supply, daaScore }
      const { rows, position } =
        client === undefined
          ? await runner.transaction((query) => createRequest(query, context, checkedSettings))
          : await createRequest(queryOf(client), context, checkedSettings)
      const [row] = rows
      if (row === undefined) throw new TypeError('The database returned no row')
      return toRequestRecord(row, position)
    },
    get,
    async list(settings = {}) {
      const tables = await tablesOf()
      const query = checkList(settings)
      const { rows, position } = await runner.run((run) => readList(run, tables, query))
      return rows.map((row) => toRequestRecord(row, position))
    },
    async *events(settings = {}) {
      refuseUnknown(settings, ['after', 'signal'])
      const { after = 0n, signal } = settings
      yield* readEvents(runner, await tablesOf(), changes$, { after, signal })
    },
    async payers(id) {
      const tables = await tablesOf()
      const { rows, position } = await runner.run((query) => readByIds(query, tables, [checkRequestId(id)]))
      const [row] = rows
      if (row === undefined) throw unknownRequest(id)
      return stateAt(row, row.record, position).payments.map(({ transactionId, amount, counterparties }) => ({
        transactionId,
        amount,
        addresses: counterparties,
      }))
    },
    async refund(id, settings) {
      if (payouts === undefined)
        throw new ChainError('Refunds need a queue of payouts', {
          code: 'unsupported',
          hint: 'Pass createPayments the payouts of createPayouts, on the same database.',
        })
      const context = { tables: await tablesOf(), payouts, hasWebhook: webhook !== undefined }
      const made = await runner.transaction((query) => refund(query, context, checkRequestId(id), settings))
      written$.next()
      return made
    },
    async refunds(id) {
      const tables = await tablesOf()
      return runner.run((query) => readRefunds(query, tables, checkRequestId(id)))
    },
    async run(settings = {}) {
      refuseUnknown(settings, ['signal'])
      const { signal = new AbortController().signal } = settings
      const tables = await tablesOf()
      const onEvents = (): void => written$.next()
      await runPayments({
        ...{ database, tables, engine, webhook, mempoolInterval, logger, counters, signal, onEvents },
      })
    },
    async metrics() {
      const tables = await tablesOf()
      return runner.run((query) => readMetrics(query, tables, counters))
    },
  }
}

/** An address that has received something is of another order. */
async function requireUnfunded(address: string, { engine }: PaymentsOptions): Promise<void> {
  const entries = await engine.rpc.getUtxosByAddresses([address])
  if (entries.length > 0)
    throw invalidArgument('address', '"address" has received something before', 'One address is one request.')
}
