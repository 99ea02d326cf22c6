import { PayoutError } from '../../errors/payout-error.js'
import { toOutpoint, type OutpointKey } from '../../model/utxo.js'
import { toPromise, type OpenStores } from '../../platform/indexed-database.js'
import type {
  GroupQuery,
  JournalAccess,
  JournalEvent,
  JournalScope,
  PayoutGroup,
  PayoutQuery,
  PayoutRecord,
  PayoutRequest,
  StateCount,
} from '../../streams/payouts/journal.js'
import { QUEUED, type PayoutStateName } from '../../streams/payouts/progress.js'
import { writeRows } from './indexed-db-change.js'
import {
  findGroup,
  get,
  getAll,
  getLast,
  range,
  rangeBefore,
  readPages,
  readWallet,
  toPayoutRow,
  type GroupRow,
  type PayoutRow,
} from './indexed-db-rows.js'

/** Runs work in one transaction. Rejects with `PayoutError` or `SessionDropped`. */
export type RunInDatabase = <T>(mode: 'readonly' | 'readwrite', work: (stores: OpenStores) => Promise<T>) => Promise<T>

const STATES = Object.keys({
  queued: 0,
  waiting: 0,
  signed: 0,
  relayed: 0,
  accepted: 0,
  settled: 0,
  cancelling: 0,
  cancelled: 0,
  conflicting: 0,
} satisfies Record<PayoutStateName, 0>) as PayoutStateName[]

/** The rows of a wallet in IndexedDB. `changed` is called after each change. */
export function createIndexedDbAccess(run: RunInDatabase, scope: JournalScope, changed: () => void): JournalAccess {
  const wallet = [scope.network, scope.name] as const
  const read = <T>(work: (stores: OpenStores) => Promise<T>): Promise<T> => run('readonly', work)
  const write = async <T>(work: (stores: OpenStores) => Promise<T>): Promise<T> => {
    const result = await run('readwrite', work)
    changed()
    return result
  }
  return {
    add: (request) => write((stores) => addRequest(stores, scope, request)),
    find: (ids) =>
      read(async (stores) => {
        const payouts = stores('payouts')
        const rows = await Promise.all(ids.map((id) => get<PayoutRow>(payouts, [scope.network, id])))
        return rows.flatMap((row) => (row?.wallet === scope.name ? row.record : []))
      }),
    list: (query) => read((stores) => listRows(stores, wallet, query)),
    due: (limit) =>
      read(async (stores) => {
        const now = Date.now()
        const isDue = ({ group, notBefore }: PayoutRecord): boolean =>
          group === null && (notBefore === null || notBefore <= now)
        return listRows(stores, wallet, { states: ['queued', 'waiting'], limit }, isDue)
      }),
    groups: (query) => read((stores) => readGroups(stores, scope, query)),
    wallet: () => read((stores) => readWallet(stores, scope)),
    taken: (outpoints) => read((stores) => readTaken(stores, scope, outpoints)),
    events: (after, limit) => read((stores) => readEvents(stores, scope, Number(after), limit)),
    counts: () => read((stores) => countStates(stores, wallet)),
    write: (change) => write((stores) => writeRows(stores, scope, change)),
  }
}

async function addRequest(stores: OpenStores, scope: JournalScope, request: PayoutRequest): Promise<PayoutRecord> {
  const { network, name } = scope
  const known = await get<PayoutRow>(stores('payouts'), [network, request.id])
  if (known?.wallet === name) return known.record
  if (known !== undefined)
    throw new PayoutError(`The id "${request.id}" belongs to the wallet "${known.wallet}"`, {
      code: 'id-conflict',
      ids: [request.id],
    })
  const at = Date.now()
  const event = { network, wallet: name, id: request.id, event: { type: 'requested' }, at }
  const number = Number(await toPromise(stores('events').add(event)))
  const facts = { sequence: BigInt(number), requestedAt: at, version: 0, group: null, progress: QUEUED }
  const record: PayoutRecord = { ...request, ...facts }
  await toPromise(stores('payouts').add(toPayoutRow(scope, record)))
  return record
}

async function listRows(
  stores: OpenStores,
  wallet: readonly string[],
  { states, addresses, after, isNewestFirst = false, limit }: PayoutQuery,
  accepts: (record: PayoutRecord) => boolean = () => true,
): Promise<readonly PayoutRecord[]> {
  const start = after === undefined ? undefined : Number(after)
  const isAmong = ({ record }: PayoutRow): boolean =>
    accepts(record) && (addresses === undefined || addresses.includes(record.address))
  const readIn = async (name: string, prefix: readonly string[]): Promise<readonly PayoutRow[]> => {
    const index = stores('payouts').index(name)
    const readPage = (from: number | undefined): Promise<readonly PayoutRow[]> =>
      isNewestFirst ? getLast(index, rangeBefore(prefix, from), limit) : getAll(index, range(prefix, from), limit)
    return readPages((last) => readPage(last?.sequence ?? start), isAmong, limit)
  }
  const rows =
    states === undefined
      ? await readIn('sequence', wallet)
      : (await Promise.all(states.map((state) => readIn('state', [...wallet, state])))).flat()
  const sorted = [...rows].sort((a, b) => (isNewestFirst ? b.sequence - a.sequence : a.sequence - b.sequence))
  return sorted.slice(0, limit).map(({ record }) => record)
}

async function readGroups(stores: OpenStores, scope: JournalScope, query: GroupQuery): Promise<readonly PayoutGroup[]> {
  const rows = await readGroupRows(stores, scope, query)
  const unique = new Map(rows.filter(({ wallet }) => wallet === scope.name).map((row) => [row.id, row]))
  const members = stores('payouts').index('group')
  return Promise.all(
    [...unique.values()].map(async ({ id, group }) => {
      const payouts = await getAll<PayoutRow>(members, IDBKeyRange.only([scope.network, id]))
      return { ...group, payouts: payouts.map(({ record }) => record).sort((a, b) => Number(a.sequence - b.sequence)) }
    }),
  )
}

async function readGroupRows(stores: OpenStores, scope: JournalScope, query: GroupQuery): Promise<readonly GroupRow[]> {
  const { network, name } = scope
  const groups = stores('groups')
  const byId = async (ids: readonly string[]): Promise<readonly GroupRow[]> =>
    (await Promise.all(ids.map((id) => get<GroupRow>(groups, [network, id])))).flatMap((row) => row ?? [])
  switch (query.of) {
    case 'ids':
      return byId(query.ids)
    case 'transactions':
      return (await Promise.all(query.ids.map((id) => findGroup(stores, scope, id)))).flatMap((row) => row ?? [])
    case 'above':
      return getAll(groups.index('top'), range([network, name], Number(query.blueScore)))
    case 'open': {
      const states = ['open', 'excluded'].map((state) => IDBKeyRange.only([network, name, state]))
      const index = groups.index('state')
      return (await Promise.all(states.map((state) => getAll<GroupRow>(index, state)))).flat()
    }
    case 'requested': {
      const cancelling = await getAll<PayoutRow>(stores('payouts').index('state'), range([network, name, 'cancelling']))
      const bumped = await getAll<GroupRow>(groups.index('bumped'), IDBKeyRange.only([network, name, 1]))
      const cancelled = await byId(cancelling.flatMap(({ group }) => group ?? []))
      return [...bumped, ...cancelled.filter(({ state }) => state === 'open')]
    }
  }
}

async function readTaken(
  stores: OpenStores,
  scope: JournalScope,
  outpoints: readonly OutpointKey[],
): Promise<ReadonlySet<OutpointKey>> {
  const isTaken = async (outpoint: OutpointKey): Promise<boolean> => {
    const claims = await toPromise(stores('claims').count([scope.network, outpoint]))
    if (claims > 0) return true
    const group = await findGroup(stores, scope, toOutpoint(outpoint).transactionId)
    return group !== undefined && group.state !== 'settled'
  }
  const taken = await Promise.all(outpoints.map(isTaken))
  return new Set(outpoints.filter((_, at) => taken[at]))
}

/** In the order of commits, because transactions that write run one after the other. */
async function readEvents(
  stores: OpenStores,
  { network, name }: JournalScope,
  after: number,
  limit: number,
): Promise<readonly JournalEvent[]> {
  type EventRow = Omit<JournalEvent, 'number'> & {
    readonly number: number
    readonly network: string
    readonly wallet: string
  }
  const rows = await readPages<EventRow>(
    (last) => getAll(stores('events'), IDBKeyRange.lowerBound(last?.number ?? after, true), limit),
    (row) => row.network === network && row.wallet === name,
    limit,
  )
  return rows.map(({ number, id, event, at }) => ({ number: BigInt(number), id, event, at }))
}

async function countStates(stores: OpenStores, wallet: readonly string[]): Promise<readonly StateCount[]> {
  const index = stores('payouts').index('state')
  const counts = STATES.map(async (state) => {
    const all = range([...wallet, state])
    const [count, oldest] = [await toPromise(index.count(all)), await get<PayoutRow>(index, all)]
    return { state, count, oldest: oldest?.record.requestedAt ?? 0 }
  })
  return (await Promise.all(counts)).filter(({ count }) => count > 0)
}
