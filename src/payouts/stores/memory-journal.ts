import { Subject } from 'rxjs'
import { PayoutError } from '../../errors/payout-error.js'
import { toOutpoint, type OutpointKey } from '../../model/utxo.js'
import { createTurns } from '../../sql/session.js'
import { withoutOutputs } from '../../streams/payouts/group-changes.js'
import { JournalRows } from '../../streams/payouts/journal-rows.js'
import type {
  GroupQuery,
  JournalAccess,
  JournalSession,
  JournalChange,
  JournalEvent,
  JournalScope,
  PayoutGroup,
  PayoutJournal,
  PayoutQuery,
  PayoutRecord,
  PayoutRequest,
  PruneQuery,
  Pruned,
  StateCount,
} from '../../streams/payouts/journal.js'
import { QUEUED, type PayoutEvent, isUnsigned } from '../../streams/payouts/progress.js'

export interface MemoryJournalOptions {
  /** Allows real networks: a crash forgets what was paid, and the same id is then paid again. @default false */
  readonly acknowledgeVolatile?: boolean | undefined
}

/** A journal that ends with the process: for tests. Real networks are refused unless `acknowledgeVolatile`. */
export function memoryJournal({ acknowledgeVolatile = false }: MemoryJournalOptions = {}): PayoutJournal {
  const wallets = new Map<string, MemoryWallet>()
  const walletOf = ({ network, name }: JournalScope): MemoryWallet => {
    const key = `${network} ${name}`
    const known = wallets.get(key) ?? new MemoryWallet(name, (id) => otherWallet(network, name, id))
    wallets.set(key, known)
    return known
  }
  const otherWallet = (network: string, name: string, id: string): boolean =>
    [...wallets].some(
      ([key, wallet]) => key !== `${network} ${name}` && key.startsWith(`${network} `) && wallet.has(id),
    )
  return {
    isDurable: acknowledgeVolatile,
    access: (scope) => walletOf(scope),
    open: (scope, signal) => walletOf(scope).open(signal),
    changes$: (scope) => walletOf(scope).changes$,
  }
}

class MemoryWallet implements JournalAccess {
  readonly changes$ = new Subject<void>()
  readonly #rows = new JournalRows()
  #events: readonly JournalEvent[] = []
  #eventCount = 0n
  readonly #takeTurn = createTurns()
  #sequence = 0n

  constructor(
    private readonly name: string,
    private readonly isElsewhere: (id: string) => boolean,
  ) {}

  has(id: string): boolean {
    return this.#rows.payouts.has(id)
  }

  /** Waits until the session before has ended. */
  async open(signal: AbortSignal): Promise<JournalSession> {
    const release = await this.#takeTurn(signal)
    const close = (): Promise<void> => {
      release()
      return Promise.resolve()
    }
    return { ...bind(this), dropped: new Promise<never>(() => undefined), close }
  }

  add(request: PayoutRequest): Promise<PayoutRecord> {
    const known = this.#rows.payouts.get(request.id)
    if (known !== undefined) return Promise.resolve(known)
    if (this.isElsewhere(request.id))
      return Promise.reject(
        new PayoutError(`The id "${request.id}" belongs to another wallet than "${this.name}"`, {
          code: 'id-conflict',
          ids: [request.id],
        }),
      )
    this.#sequence += 1n
    const facts = { sequence: this.#sequence, requestedAt: Date.now(), version: 0, group: null, progress: QUEUED }
    const record: PayoutRecord = { ...request, ...facts }
    this.#rows.setPayout(record)
    this.#emit(request.id, [{ type: 'requested' }])
    this.changes$.next()
    return Promise.resolve(record)
  }

  find(ids: readonly string[]): Promise<readonly PayoutRecord[]> {
    return Promise.resolve(ids.flatMap((id) => this.#rows.payouts.get(id) ?? []))
  }

  list({ states, addresses, after, isNewestFirst = false, limit }: PayoutQuery): Promise<readonly PayoutRecord[]> {
    const payouts = isNewestFirst ? this.#payouts().reverse() : this.#payouts()
    const found = payouts.filter(
      ({ sequence, progress, address }) =>
        (after === undefined || (isNewestFirst ? sequence < after : sequence > after)) &&
        (states === undefined || states.includes(progress.state)) &&
        (addresses === undefined || addresses.includes(address)),
    )
    return Promise.resolve(found.slice(0, limit))
  }

  due(limit: number): Promise<readonly PayoutRecord[]> {
    const now = Date.now()
    const due = this.#payouts().filter(
      ({ group, progress, notBefore }) =>
        group === null && isUnsigned(progress) && (notBefore === null || notBefore <= now),
    )
    return Promise.resolve(due.slice(0, limit))
  }

  groups(query: GroupQuery): Promise<readonly PayoutGroup[]> {
    return Promise.resolve(this.#rows.groups.filter((group) => isIn(group, query)))
  }

  wallet() {
    return Promise.resolve(this.#rows.wallet)
  }

  taken(outpoints: readonly OutpointKey[]) {
    const taken = outpoints.filter((outpoint) => {
      const group = this.#rows.groupOf(toOutpoint(outpoint).transactionId)
      return this.#rows.claims.has(outpoint) || (group !== undefined && group.state !== 'settled')
    })
    return Promise.resolve(new Set(taken))
  }

  events(after: bigint, limit: number): Promise<readonly JournalEvent[]> {
    return Promise.resolve(this.#events.filter(({ number }) => number > after).slice(0, limit))
  }

  counts(): Promise<readonly StateCount[]> {
    const counts = new Map<string, StateCount>()
    for (const { progress, requestedAt } of this.#payouts()) {
      const known = counts.get(progress.state) ?? { state: progress.state, count: 0, oldest: requestedAt }
      counts.set(progress.state, { ...known, count: known.count + 1, oldest: Math.min(known.oldest, requestedAt) })
    }
    return Promise.resolve([...counts.values()])
  }

  prune({ olderThan, blueScore, limit }: PruneQuery): Promise<Pruned> {
    const due = this.#rows.groups.filter(
      ({ state, payouts, attempts }) =>
        state === 'settled' &&
        attempts.some(({ signed }) => signed.outputs.length > 0) &&
        payouts.every(({ requestedAt }) => requestedAt < olderThan) &&
        attempts.every(({ acceptedBlueScore }) => (acceptedBlueScore ?? 0n) <= blueScore),
    )
    const pruned = due.slice(0, limit).map((group) => ({ ...group, attempts: group.attempts.map(withoutOutputs) }))
    this.#rows.load(pruned)
    const old = this.#events.filter(({ at }) => at < olderThan).slice(0, limit)
    this.#events = this.#events.filter((event) => !old.includes(event))
    const attempts = pruned.reduce((sum, group) => sum + group.attempts.length, 0)
    return Promise.resolve({ attempts, events: old.length })
  }

  write(change: JournalChange): Promise<boolean> {
    if (!this.#rows.accepts(change)) return Promise.resolve(false)
    this.#rows.apply(change)
    for (const { id, events } of change.payouts ?? []) this.#emit(id, events)
    this.changes$.next()
    return Promise.resolve(true)
  }

  #payouts(): PayoutRecord[] {
    return [...this.#rows.payouts.values()].sort((a, b) => Number(a.sequence - b.sequence))
  }

  #emit(id: string, events: readonly PayoutEvent[]): void {
    const added = events.map((event): JournalEvent => ({ number: ++this.#eventCount, id, event, at: Date.now() }))
    this.#events = [...this.#events, ...added]
  }
}

/** The methods without the class, so that they can be spread. */
const bind = (wallet: MemoryWallet): JournalAccess => ({
  add: (request) => wallet.add(request),
  find: (ids) => wallet.find(ids),
  list: (query) => wallet.list(query),
  due: (limit) => wallet.due(limit),
  groups: (query) => wallet.groups(query),
  wallet: () => wallet.wallet(),
  taken: (outpoints) => wallet.taken(outpoints),
  events: (after, limit) => wallet.events(after, limit),
  counts: () => wallet.counts(),
  prune: (query) => wallet.prune(query),
  write: (change) => wallet.write(change),
})

function isIn({ id, state, attempts, conflicts, bumpRate, payouts }: PayoutGroup, query: GroupQuery): boolean {
  switch (query.of) {
    case 'open':
      return state !== 'settled'
    case 'requested':
      return state === 'open' && (bumpRate !== null || payouts.some(({ progress }) => progress.state === 'cancelling'))
    case 'ids':
      return query.ids.includes(id)
    case 'transactions':
      return attempts.some(({ transactionId }) => query.ids.includes(transactionId))
    case 'above':
      return (
        attempts.some(({ acceptedBlueScore }) => (acceptedBlueScore ?? -1n) > query.blueScore) ||
        conflicts.some(({ blueScore }) => blueScore > query.blueScore)
      )
  }
}
