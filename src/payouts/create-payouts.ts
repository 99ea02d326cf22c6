import { BehaviorSubject, firstValueFrom, type Observable } from 'rxjs'
import { partsOf, feature } from '../engine/core-parts.js'
import type { ChainEngine } from '../engine/engine.js'
import { managedAddresses } from '../engine/features/own-addresses.js'
import { paymentChecks } from '../engine/features/own-payments.js'
import { guarded, silentLogger } from '../engine/resolve-options.js'
import { invalidArgument, refuseUnknown } from '../errors/chain-error.js'
import { PayoutError } from '../errors/payout-error.js'
import { loadCode } from '../loading/load-code.js'
import { decodeAddress } from '../model/address.js'
import { NETWORKS, type ChainNetwork } from '../model/network.js'
import { checkId, checkRequest, type PayoutOutput } from '../operations/payouts/payout-batch.js'
import type { JournalAccess, PayoutRecord, PayoutRequest, Pruned } from '../streams/payouts/journal.js'
import { withFeedQueue } from '../streams/payouts/feed-queue.js'
import type { PayoutReader, PayoutState, WaitOptions } from '../streams/payouts/payouts.js'
import { QueueCounters, toMetrics, type PayoutMetrics } from './metrics.js'
import { checkPayoutsOptions, type CheckedOptions, type PayoutsOptions } from './options.js'
import { toStates, createReader, waitFor } from './reader.js'
import type { PayoutPreview } from './run-queue.js'
import { sqlTablesOf } from './stores/sql-tables.js'
import { createWorkers, STOPPED, reduceQueueStatus, type QueueEvent, type QueueStatus } from './status.js'

/** A queue of payments, each made exactly once by its caller's id. */
export interface Payouts extends PayoutReader {
  /**
   * Stores a payment and resolves once it is stored; the instance that runs makes it. The same id with the same fields
   * is the same payment: it resolves to its state. `client`: the caller's database transaction (PostgreSQL, PGlite),
   * with which it is committed. Rejects with `PayoutError`: `id-conflict` for an id with other fields,
   * `invalid-argument` for what could not be paid, `journal-unavailable`: call again with the same id.
   */
  pay(id: string, payment: PayoutOutput, options?: { readonly client?: unknown }): Promise<PayoutState>
  /**
   * `queued` or `waiting`: `cancelled` at once. Signed: the transaction is replaced by one without this output, and the
   * chain decides. Rejects with `PayoutError`: `not-found`, `not-cancellable` once the chain has the payment.
   */
  cancel(id: string): Promise<PayoutState>
  /**
   * Replaces the transaction of a payout by one with a higher fee rate, in sompi per gram: the same outputs, all
   * inputs. Rejects with `PayoutError`: `not-found`, `not-replaceable`.
   */
  bump(id: string, options: { readonly feeRate: number }): Promise<PayoutState>
  /**
   * Lets a `conflicting` payout be paid by a new transaction, where the conflict is so deep, in blue score: by default
   * an hour, at least 1,000. A deeper reorg would pay twice. Rejects with `PayoutError`: `not-found`, `not-releasable`.
   */
  release(id: string, options?: { readonly confirmations?: number | undefined }): Promise<PayoutState>
  /** Allows signing again after a foreign debit. Rejects with `PayoutError` (`not-found`). */
  acknowledge(transactionId: string): Promise<void>
  /** Stops signing in all instances; what is signed is submitted again as before. */
  hold(): Promise<void>
  resume(): Promise<void>
  /**
   * What the next transaction would pay from settled UTXOs; null where nothing is due, or funds are missing. Signs
   * nothing.
   */
  preview(): Promise<PayoutPreview | null>
  /**
   * Removes what is older than a time: events, and what only a further submission needs from the transactions of
   * settled payouts that are deeper than finality (12 hours). Every id stays: it is one payment for ever. Claims stay.
   * Rejects with `ChainError` (`unsupported`) where the journal keeps everything.
   */
  prune(options: { readonly olderThan: Date }): Promise<Pruned>
  /**
   * Resolves once a payout is so deep, or cancelled. Rejects with `PayoutError` (`not-found`), and with the signal's
   * reason.
   */
  wait(id: string, options?: WaitOptions): Promise<PayoutState>
  /**
   * Waits until no other instance works, then signs, submits and follows the chain until the signal aborts. A lost
   * connection to the journal is opened again, without end. Rejects with `ChainError`: `history-gap`,
   * `invalid-argument`, also while a feed runs this queue, `unsupported`, `disposed`; with `ChainRpcError`
   * `node-behind`; with `PayoutError` `schema-newer`.
   */
  run(options?: { readonly signal?: AbortSignal | undefined }): Promise<void>
  /** Hot; replays the latest status, emits changes, never errors. */
  readonly status$: Observable<QueueStatus>
  metrics(): Promise<PayoutMetrics>
}

/** Blocks of an hour, in blue score. */
const HOUR = 36_000

/**
 * Creates a queue, which signs nothing before `run()`. From now on `send`, `create`, `sweep`, `consolidate` and
 * `cancel` of the engine refuse to pay from its addresses (`managed-by-journal`). Throws `ChainError`
 * (`invalid-argument`).
 */
export function createPayouts(options: PayoutsOptions): Payouts {
  const { engine } = options
  const checked = checkPayoutsOptions(options)
  const network = partsOf(engine).network()
  requireNetwork(checked, network)
  manage(engine, checked)
  const { journal, name, minAmount, allowScripts } = checked
  const scope = { network, name }
  const access = journal.access(scope)
  const changes$ = journal.changes$(scope)
  const reader = createReader(access, changes$)
  /** Few processes need them. */
  const loadCommands = async () => {
    const { createCommands } = await loadCode(() => import('./commands.js'))
    return createCommands(access, { network, chainDepth: checked.batch.chainDepth })
  }
  const counters = new QueueCounters()
  const logger = guarded(options.logger ?? silentLogger)
  const status$ = new BehaviorSubject(STOPPED)
  const emit = (event: QueueEvent): void => {
    const next = reduceQueueStatus(status$.value, event)
    if (next !== status$.value) status$.next(next)
  }
  const stateOf = async (id: string): Promise<PayoutState> => {
    const state = await reader.get(id)
    if (state === null) throw new PayoutError(`There is no payout "${id}"`, { code: 'not-found', ids: [id] })
    return state
  }

  const workers = createWorkers()

  async function run(settings: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    refuseUnknown(settings, ['signal'])
    const { signal = new AbortController().signal } = settings
    const end = workers.begin('run')
    try {
      const { runQueue } = await loadCode(() => import('./run-queue.js'))
      await runQueue({ engine, options: checked, scope, counters, logger, emit, signal })
    } finally {
      end()
      emit({ type: 'stopped' })
    }
  }

  const payouts: Payouts = {
    ...reader,
    async pay(id, payment, settings = {}) {
      refuseUnknown(settings, ['client'])
      const request = checkRequest(id, payment, { network, minAmount, allowScripts })
      const checks = feature(partsOf(engine), paymentChecks)
      if (checks.size > 0) {
        const { requirePayable } = await loadCode(() => import('./recipients.js'))
        await requirePayable(request, access, checks)
      }
      const record = await access.add(request, settings.client)
      if (!isSame(record, request)) throw idConflict(record, request)
      return settings.client === undefined ? first(await toStates([record], access)) : toNewState(record)
    },
    async cancel(id) {
      await (await loadCommands()).cancel(checkId(id))
      return stateOf(id)
    },
    async bump(id, settings) {
      refuseUnknown(settings, ['feeRate'])
      const { feeRate } = settings
      if (!Number.isFinite(feeRate) || feeRate <= 0)
        throw invalidArgument('feeRate', '"feeRate" must be a number of sompi per gram, above zero')
      await (await loadCommands()).bump(checkId(id), feeRate)
      return stateOf(id)
    },
    async release(id, settings = {}) {
      refuseUnknown(settings, ['confirmations'])
      const { confirmations = HOUR } = settings
      if (!Number.isSafeInteger(confirmations) || confirmations < 1_000)
        throw invalidArgument('confirmations', '"confirmations" is no whole number from 1000')
      await (await loadCommands()).release(checkId(id), confirmations)
      return stateOf(id)
    },
    acknowledge: async (transactionId) => (await loadCommands()).acknowledge(transactionId),
    hold: () => holdOrResume(access, true),
    resume: () => holdOrResume(access, false),
    async preview() {
      const { previewQueue } = await loadCode(() => import('./run-queue.js'))
      return previewQueue(access, { engine, options: checked })
    },
    prune: async (settings) => (await loadCommands()).prune(settings),
    wait: async (id, settings = {}) => {
      await stateOf(id)
      return waitFor(id, settings, { access, reader, changes$, network })
    },
    run,
    status$: status$.asObservable(),
    metrics: async () =>
      toMetrics(counters, await access.counts(), (await firstValueFrom(status$)).phase === 'running'),
  }
  const { addresses, minConfirmations } = checked
  const tables = sqlTablesOf(journal)
  return withFeedQueue(payouts, {
    ...{ name, network, addresses, minConfirmations, database: tables?.database },
    reserve: () => workers.begin('feed'),
    async open(session, feed, signal) {
      if (tables === undefined) throw new TypeError('The journal has no tables') // excluded by the check of the feed
      const { joinFeed } = await loadCode(() => import('./join-feed.js'))
      return joinFeed(session, feed, { engine, options: checked, scope, counters, logger, emit, signal, tables })
    },
  })
}

function requireNetwork({ addresses, journal }: CheckedOptions, network: ChainNetwork): void {
  const { addressPrefix } = NETWORKS[network]
  addresses.forEach((address, at) => {
    if (decodeAddress(address).prefix !== addressPrefix)
      throw invalidArgument(`addresses[${at}]`, `"addresses[${at}]" is not of ${network}`)
  })
  if (!journal.isDurable && network !== 'simnet' && network !== 'devnet')
    throw invalidArgument(
      'journal',
      `A journal in memory is for tests, not for ${network}`,
      'Use postgresJournal, pgliteJournal or indexedDbJournal: after a crash the same id would be paid again.',
    )
}

function manage(engine: ChainEngine, { addresses, name }: CheckedOptions): void {
  const managed = feature(partsOf(engine), managedAddresses)
  addresses.forEach((address, at) => {
    const other = managed.get(address)
    if (other !== undefined && other !== name)
      throw invalidArgument(`addresses[${at}]`, `The queue "${other}" pays from this address already`)
  })
  for (const address of addresses) managed.set(address, name)
}

const isSame = (record: PayoutRecord, request: PayoutRequest): boolean =>
  record.address === request.address && record.amount === request.amount && record.notBefore === request.notBefore

/** The error of a second payment under an id. */
export const idConflict = (record: PayoutRecord, request: PayoutRequest): PayoutError =>
  new PayoutError(`The id "${request.id}" was requested with other fields`, {
    code: 'id-conflict',
    ids: [request.id],
    details: `Stored: ${record.amount} sompi to ${record.address}. Requested: ${request.amount} sompi to ${request.address}.`,
    hint: 'An id is one payment for ever: use another id for another payment.',
  })

const toNewState = ({ progress, ...record }: PayoutRecord): PayoutState => {
  const { id, address, amount, notBefore, requestedAt, sequence } = record
  return { ...progress, id, address, amount, notBefore, requestedAt, sequence, attempts: [] }
}

function first<T>([value]: readonly T[]): T {
  if (value === undefined) throw new TypeError('A payout without a state')
  return value
}

async function holdOrResume(access: JournalAccess, isOnHold: boolean): Promise<void> {
  await access.write({ isOnHold })
}
