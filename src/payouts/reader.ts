import {
  catchError,
  defer,
  distinctUntilChanged,
  EMPTY,
  exhaustMap,
  filter,
  firstValueFrom,
  merge,
  scan,
  startWith,
  takeWhile,
  throttleTime,
  type Observable,
} from 'rxjs'
import { refuseUnknown, ChainError, invalidArgument, toChainError } from '../errors/chain-error.js'
import { abort$, abortable } from '../loading/abortable.js'
import { decodeCursor } from '../model/chain-cursor/cursor.js'
import type { ChainNetwork } from '../model/network.js'
import { checkId } from '../operations/payouts/payout-batch.js'
import type { JournalAccess, JournalEvent, PayoutQuery, PayoutGroup, PayoutRecord } from '../streams/payouts/journal.js'
import type { ListOptions, PayoutList, PayoutReader, PayoutState, WaitOptions } from '../streams/payouts/payouts.js'

/** Events that are read at a time. */
const PAGE = 100
/** The ms between two reads of a followed payout, at least. */
const THROTTLE = 50

export function createReader(access: JournalAccess, changes$: Observable<void>): PayoutReader {
  const get = async (id: string): Promise<PayoutState | null> => {
    const [state] = await toStates(await access.find([checkId(id)]), access)
    return state ?? null
  }
  const list = async (query: PayoutQuery): Promise<readonly PayoutState[]> => toStates(await access.list(query), access)
  return {
    get,
    list: async (options = {}) => list(toQuery(options)),
    list$(options = {}) {
      const query = toQuery(options)
      return changes$.pipe(
        throttleTime(THROTTLE, undefined, { leading: true, trailing: true }),
        startWith(undefined),
        exhaustMap(() => list(query).then(toList, toReadError)),
        scan<PayoutList | ChainError, PayoutList>(
          (latest, next) => (next instanceof ChainError ? { ...latest, error: next } : next),
          NO_PAYOUTS,
        ),
        distinctUntilChanged((a, b) => a.error === b.error && textOf(a.payouts) === textOf(b.payouts)),
      )
    },
    state$: (id) =>
      changes$.pipe(
        throttleTime(THROTTLE, undefined, { leading: true, trailing: true }),
        startWith(undefined),
        exhaustMap(() => defer(() => get(id)).pipe(catchError(() => EMPTY))), // read again with the next change
        filter((state) => state !== null),
        distinctUntilChanged((a, b) => textOf(a) === textOf(b)),
        takeWhile(({ state }) => state !== 'settled' && state !== 'cancelled', true),
      ),
    events: ({ after = 0n, signal } = {}) => readEvents(access, changes$, after, signal),
  }
}

/** Before the first read. */
const NO_PAYOUTS: PayoutList = { payouts: [], error: null }

const toReadError = (error: unknown): ChainError => toChainError(error, 'The payouts could not be read')

const toList = (payouts: readonly PayoutState[]): PayoutList => ({ payouts, error: null })

function toQuery(options: ListOptions): PayoutQuery {
  refuseUnknown(options, ['state', 'after', 'order', 'limit'] satisfies (keyof ListOptions)[])
  const { state, after, order = 'oldest', limit = 100 } = options
  if (!Number.isSafeInteger(limit) || limit < 1) throw invalidArgument('limit', '"limit" is no whole number from 1')
  return { states: state === undefined ? undefined : [state], after, isNewestFirst: order === 'newest', limit }
}

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, field: unknown) => (typeof field === 'bigint' ? String(field) : field))

async function* readEvents(
  access: JournalAccess,
  changes$: Observable<void>,
  after: bigint,
  signal: AbortSignal | undefined,
): AsyncGenerator<JournalEvent, undefined, undefined> {
  let last = after
  while (signal?.aborted !== true) {
    const events = await access.events(last, PAGE)
    for (const event of events) {
      yield event
      last = event.number
    }
    if (events.length > 0) continue
    await firstValueFrom(merge(changes$, abort$(signal)), { defaultValue: undefined })
  }
}

interface WaitContext {
  readonly access: JournalAccess
  readonly reader: PayoutReader
  readonly changes$: Observable<void>
  readonly network: ChainNetwork
}

/** Resolves once a payout is cancelled, settled, or so deep below the position of the journal. */
export async function waitFor(
  id: string,
  options: WaitOptions,
  { access, reader, changes$, network }: WaitContext,
): Promise<PayoutState> {
  refuseUnknown(options, ['confirmations', 'signal'])
  const { confirmations, signal } = options
  const isDeep = async (blueScore: bigint): Promise<boolean> => {
    const { cursor } = await access.wallet()
    return (
      confirmations !== undefined &&
      cursor !== null &&
      decodeCursor(cursor, network).tip.blueScore - blueScore >= BigInt(confirmations)
    )
  }
  const isReached = async (state: PayoutState): Promise<boolean> =>
    state.state === 'settled' ||
    state.state === 'cancelled' ||
    (state.state === 'accepted' && (await isDeep(state.blueScore)))
  const states$ = changes$.pipe(
    throttleTime(THROTTLE, undefined, { leading: true, trailing: true }),
    startWith(undefined),
    exhaustMap(async () => {
      const state = await reader.get(id)
      return state !== null && (await isReached(state)) ? state : undefined
    }),
    filter((state) => state !== undefined),
  )
  return abortable(signal, () => firstValueFrom(states$))
}

/** Records with the attempts of their groups. */
export async function toStates(
  records: readonly PayoutRecord[],
  journal: Pick<JournalAccess, 'groups'>,
): Promise<readonly PayoutState[]> {
  const ids = [...new Set(records.flatMap(({ group }) => group ?? []))]
  const groups = ids.length === 0 ? [] : await journal.groups({ of: 'ids', ids })
  const byId = new Map(groups.map((group) => [group.id, group]))
  return records.map((record) => toState(record, byId.get(record.group ?? '')))
}

function toState(record: PayoutRecord, group: PayoutGroup | undefined): PayoutState {
  const { id, address, amount, notBefore, requestedAt, sequence, progress } = record
  const attempts = (group?.attempts ?? []).map((attempt) => {
    const { transactionId, kind, fee, acceptedBlueScore, acceptingBlock, outcome, lastResponse, pays } = attempt
    const facts = { transactionId, kind, fee, acceptedBlueScore, acceptingBlock, outcome, lastResponse }
    return { ...facts, pays: pays.includes(id) }
  })
  return { ...progress, id, address, amount, notBefore, requestedAt, sequence, attempts }
}
