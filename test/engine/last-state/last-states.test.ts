import {
  BehaviorSubject,
  asyncScheduler,
  filter,
  firstValueFrom,
  type Observable,
  type SchedulerAction,
  type SchedulerLike,
  type Subscription,
} from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../../src/devnode/index.js'
import { createChainEngine, type ChainEngine } from '../../../src/engine/engine.js'
import type { SharingState } from '../../../src/engine/features/sharing.js'
import type { SharedOptions } from '../../../src/engine/options.js'
import { light } from '../../../src/light/index.js'
import { createPlatform } from '../../../src/platform/detect.js'
import type { PlatformTabs } from '../../../src/platform/port.js'
import type { UtxoState } from '../../../src/streams/utxos/view/state.js'
import { createFakeOrigin, type FakeOrigin } from '../../platform/fake-tabs.js'

const KAS = 100_000_000n
const DAY = 86_400_000
/** A port on which there is no node. */
const NOWHERE = 'ws://127.0.0.1:9'

let devnode: Devnode
let origin: FakeOrigin
let engines: ChainEngine[]
beforeEach(async () => {
  devnode = await createDevnode({ blockInterval: 0, accounts: 2 })
  await devnode.mine(2)
  origin = createFakeOrigin()
  engines = []
})
afterEach(async () => {
  await Promise.all(engines.map((engine) => engine.dispose()))
  await devnode.close()
})

interface TabSettings {
  readonly url: string
  readonly tabs: PlatformTabs
  readonly state: SharedOptions['state']
  /** Ms that the clock is ahead. */
  readonly ahead: number
  /** Ms of a timer that fires at once. */
  readonly immediate: number
}

/** A tab, which writes what it knows when it is hidden. */
function openTab({ url, tabs = origin.open().tabs, state = true, ahead = 0, immediate }: Partial<TabSettings> = {}) {
  const visible$ = new BehaviorSubject(true)
  const scheduler: SchedulerLike = {
    now: () => asyncScheduler.now(),
    schedule<T>(work: (this: SchedulerAction<T>, value?: T) => void, delay?: number, value?: T): Subscription {
      return asyncScheduler.schedule(work, delay === immediate ? 0 : delay, value)
    },
  }
  const engine = createChainEngine({
    network: 'simnet',
    url: url ?? devnode.urls.borsh,
    sdk: light,
    shared: { claims: false, connection: false, state },
    ports: { platform: { ...createPlatform(), now: () => Date.now() + ahead, scheduler, visible$, tabs } },
  })
  engines.push(engine)
  return { engine, hide: () => visible$.next(false) }
}

const addresses = (): readonly string[] => devnode.accounts.map(({ address }) => address)
const first = <T>(state$: Observable<T>, isWanted: (state: T) => boolean): Promise<T> =>
  firstValueFrom(state$.pipe(filter(isWanted)))
const isFresh = ({ freshness }: Pick<UtxoState, 'freshness'>): boolean => freshness === 'fresh'
const isRestored = ({ reason }: Pick<UtxoState, 'reason'>): boolean => reason === 'restored'

/** The number of records of each store, and 0 where there is no database. */
async function countRecords(): Promise<number> {
  const all = await origin.databases.databases()
  const name = all.find((each) => each.name?.endsWith('/state'))?.name
  if (name === undefined) return 0
  const database = await open(name)
  const count = await done(database.transaction('summaries').objectStore('summaries').count())
  database.close()
  return count
}
const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The request has failed'))
  })
const open = (name: string): Promise<IDBDatabase> => done(origin.databases.open(name))
const untilStored = (count: number) => expect.poll(countRecords).toBe(count)

/** Follows addresses in a tab, those of both accounts by default, until they are stored. */
async function store(settings?: Partial<TabSettings>, followed = addresses()): Promise<UtxoState> {
  const { engine, hide } = openTab(settings)
  const { state$ } = engine.utxos(followed)
  const subscription = state$.subscribe()
  const state = await first(state$, isFresh)
  hide()
  await untilStored(1)
  subscription.unsubscribe()
  await engine.dispose()
  return state
}

const sharingOf = (engine: ChainEngine): SharingState => {
  let latest: SharingState | undefined
  engine.sharing.state$.subscribe((state) => (latest = state)).unsubscribe()
  return latest!
}

describe('a page that is opened again', () => {
  it('shows offline what the last one has shown, as stale, with its time', async () => {
    const before = await store()
    const { engine } = openTab({ url: NOWHERE })
    const state = await first(engine.utxos(addresses()).state$, isRestored)
    expect(state).toMatchObject({ freshness: 'stale', balance: before.balance, addresses: addresses() })
    expect(state.asOf).toBeGreaterThan(Date.now() - DAY)
    const balances = await first(engine.balances$(addresses()), isRestored)
    expect(balances.balance.mature).toBe(before.balance.mature)
    expect(Object.keys(balances.byAddress)).toEqual(addresses())
    expect(sharingOf(engine).reason).toBeNull()
  })

  it('reads the entries once they are read, and has none that is mature', async () => {
    const before = await store()
    const { engine } = openTab({ url: NOWHERE })
    const { state$ } = engine.utxos(addresses())
    const restored = await first(state$, (state) => isRestored(state) && state.entries.length > 0)
    const byOutpoint = ({ outpoint }: { outpoint: { transactionId: string; index: number } }): string =>
      `${outpoint.transactionId}:${outpoint.index}`
    expect(restored.entries.map(byOutpoint).sort()).toEqual(before.entries.map(byOutpoint).sort())
    expect(restored.matureEntries).toEqual([])
    expect(restored.source.size).toBe(0)
  })

  it('shows the state of the node once there is one, and no time', async () => {
    await store()
    await devnode.fund(addresses()[1]!, KAS)
    await devnode.mine(1)
    const { engine } = openTab()
    const state = await first(engine.utxos(addresses()).state$, isFresh)
    expect(state).toMatchObject({ reason: null, asOf: null })
    const [one, two] = devnode.expected.balances([...addresses()])
    expect(state.balance.mature).toBe(one!.mature + two!.mature)
  })

  it('shows nothing that is older than maxAge, of other addresses, or damaged, and deletes it', async () => {
    await store()
    const later = openTab({ url: NOWHERE, ahead: 2 * DAY })
    const shown: (string | null)[] = []
    later.engine.utxos(addresses()).state$.subscribe(({ reason }) => shown.push(reason))
    await untilStored(0)
    expect(shown).not.toContain('restored')

    await store()
    const [{ name }] = (await origin.databases.databases()) as [{ name: string }]
    const database = await open(name)
    const summaries = database.transaction('summaries', 'readwrite').objectStore('summaries')
    const [key] = await done(summaries.getAllKeys())
    const bytes = (await done(summaries.get(key!))) as Uint8Array
    bytes[20] = (bytes[20] ?? 0) ^ 1
    await done(summaries.put(bytes, key))
    database.close()
    const { engine } = openTab({ url: NOWHERE })
    engine.utxos(addresses()).state$.subscribe(({ reason }) => shown.push(reason))
    engine.balances$([addresses()[0]!]).subscribe(({ reason }) => shown.push(reason))
    await untilStored(0)
    expect(shown).not.toContain('restored')
  })
})

describe('a payment from a restored state', () => {
  const settingsOf = (state: UtxoState, entries: 'source' | 'entries' | 'matureEntries' = 'source') => ({
    entries: state[entries],
    outputs: [{ address: addresses()[1]!, amount: KAS }],
    changeAddress: addresses()[0]!,
    privateKeys: devnode.accounts.map(({ privateKeyHex }) => privateKeyHex),
  })

  it('waits for the first snapshot, and spends what is there then', async () => {
    await store()
    const { engine } = openTab({ url: NOWHERE })
    await engine.wasm.init()
    const { state$ } = engine.utxos(addresses())
    const state = await first(state$, (each) => isRestored(each) && each.entries.length > 0)
    const estimates = [
      engine.transactions.estimate(settingsOf(state, 'matureEntries')),
      engine.transactions.estimate(settingsOf(state, 'entries')),
      engine.transactions.send(settingsOf(state)),
    ] as const
    await engine.connection.connect({ url: devnode.urls.borsh })
    const [estimate, , { transactionIds }] = await Promise.all(estimates)
    expect(estimate.finalAmount).toBe(KAS)
    await devnode.mine(2)
    expect(devnode.expected.transfers([addresses()[1]!]).map(({ transactionId }) => transactionId)).toContain(
      transactionIds[0],
    )
  })

  it('spends from the addresses that it was shown for, also where others are followed since', async () => {
    const [alice, bob] = addresses().map((address) => [address])
    await store({}, alice)
    const { engine } = openTab({ url: NOWHERE })
    const followed$ = new BehaviorSubject(alice!)
    const { state$ } = engine.utxos(followed$)
    const subscription = state$.subscribe()
    const restored = await first(state$, isRestored)
    const created = engine.transactions.create(settingsOf(restored))
    followed$.next(bob!)
    await engine.connection.connect({ url: devnode.urls.borsh })
    await first(state$, isFresh)
    const { transactions } = await created
    expect(transactions.map((payment) => payment.addresses())).toEqual([alice])
    subscription.unsubscribe()
  })

  it('rejects with timeout where there is none within a minute, and with aborted by its signal', async () => {
    await store()
    const { engine } = openTab({ url: NOWHERE, immediate: 60_000 })
    await engine.wasm.init()
    const state = await first(engine.utxos(addresses()).state$, isRestored)
    await expect(engine.transactions.send(settingsOf(state))).rejects.toMatchObject({
      code: 'timeout',
      outcome: 'unsent',
    })
    const signal = AbortSignal.abort()
    await expect(engine.transactions.create(settingsOf(state, 'matureEntries'), { signal })).rejects.toMatchObject({
      code: 'aborted',
    })
  })
})

describe('what is stored', () => {
  it('is written while the state is fresh, without a change of visibility', async () => {
    const { engine } = openTab()
    engine.balances$([addresses()[0]!]).subscribe()
    await untilStored(1)
  })

  it('is deleted when the addresses change to none', async () => {
    const { engine, hide } = openTab()
    const addresses$ = new BehaviorSubject(addresses())
    const { state$ } = engine.utxos(addresses$)
    state$.subscribe()
    await first(state$, isFresh)
    hide()
    await untilStored(1)
    addresses$.next([])
    await untilStored(0)
  })

  it('is deleted when the addresses change to none on another network than that of theirs', async () => {
    const { engine, hide } = openTab()
    const addresses$ = new BehaviorSubject(addresses())
    const { state$ } = engine.utxos(addresses$)
    state$.subscribe()
    await first(state$, isFresh)
    hide()
    await untilStored(1)
    void engine.switchNetwork('devnet', { url: NOWHERE }).catch(() => undefined) // nothing is there
    addresses$.next([])
    await untilStored(0)
  })

  it.each([0, 2])(
    'is deleted after forget of tab %i, with its database, and is not written again in any',
    async (by) => {
      const tabs = [openTab(), openTab()]
      for (const { engine } of tabs) {
        const { state$ } = engine.utxos(addresses())
        state$.subscribe()
        await first(state$, isFresh)
      }
      await untilStored(1)
      await [...tabs, openTab()][by]!.engine.sharing.forget() // the last one follows nothing
      expect(await origin.databases.databases()).toEqual([])
      await devnode.fund(addresses()[0]!, KAS)
      await devnode.mine(1)
      for (const { engine, hide } of tabs) {
        await first(engine.virtualDaaScore$, (score) => score === devnode.expected.virtualDaaScore())
        hide()
        await engine.dispose()
      }
      expect(await origin.databases.databases()).toEqual([])
    },
  )

  it('is reported as not deleted where the database does not open: another tab may be frozen', async () => {
    const { databases, ...rest } = origin.open().tabs
    const name = 'vue-chain/vue-chain/simnet/state'
    const frozen = await open(name) // does not close where another tab deletes it
    await done(databases.open(name)).then((database) => database.close())
    const { engine } = openTab({ tabs: { ...rest, databases }, immediate: 10_000 })
    const deleting = databases.deleteDatabase!(name)
    await new Promise((resolve) => (deleting.onblocked = resolve))
    await expect(engine.sharing.forget()).rejects.toMatchObject({ message: 'The stored balances could not be deleted' })
    frozen.close()
    await done(deleting)
    await openTab().engine.sharing.forget()
  })

  it('ends with a full storage: what was stored is deleted, and the app goes on', async () => {
    await store()
    const { databases, ...rest } = origin.open().tabs
    let puts = 0
    const full: PlatformTabs['databases'] = {
      deleteDatabase: (name) => databases.deleteDatabase!(name),
      open(...request) {
        const opened = databases.open(...request)
        opened.addEventListener('success', () => failPuts(opened.result, () => puts++))
        return opened
      },
    }
    const { engine, hide } = openTab({ tabs: { ...rest, databases: full } })
    const { state$ } = engine.utxos(addresses())
    state$.subscribe()
    await first(state$, isFresh)
    hide()
    await first(engine.sharing.state$, ({ reason }) => reason === 'storage-failed')
    await expect.poll(() => origin.databases.databases()).toEqual([])
    expect(puts).toBe(1)
    expect((await first(state$, isFresh)).reason).toBeNull()
  })

  it('is nothing where the option is off', async () => {
    const { engine, hide } = openTab({ state: false })
    const { state$ } = engine.utxos(addresses())
    state$.subscribe()
    await first(state$, isFresh)
    hide()
    await engine.sharing.forget()
    expect(await origin.databases.databases()).toEqual([])
    expect(sharingOf(engine).reason).toBe('off')
  })
})

function failPuts(database: IDBDatabase, onPut: () => void): void {
  const transaction = database.transaction.bind(database)
  database.transaction = (...args) => {
    const begun = transaction(...args)
    const objectStore = begun.objectStore.bind(begun)
    begun.objectStore = (name) => {
      const opened = objectStore(name)
      opened.put = () => {
        onPut()
        throw new DOMException('The quota is exceeded', 'QuotaExceededError')
      }
      return opened
    }
    return begun
  }
}
