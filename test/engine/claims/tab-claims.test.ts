import { NEVER, asyncScheduler } from 'rxjs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { TabClaims } from '../../../src/engine/claims/tab-claims.js'
import { toScriptPublicKey } from '../../../src/model/address.js'
import { MAX_CLAIMS, type Claim } from '../../../src/model/claims/claim.js'
import type { ClaimedPlan } from '../../../src/operations/transactions/transaction-operations.js'
import { IndexedDatabase, toPromise } from '../../../src/platform/indexed-database.js'
import type { PlatformTabs } from '../../../src/platform/port.js'
import { createUnconfirmed } from '../../../src/streams/utxos/unconfirmed/unconfirmed.js'
import { createTestPlatform } from '../../../src/testing/platform.js'
import { createFakeOrigin, type FakeOrigin } from '../../platform/fake-tabs.js'
import { ALICE, BOB, payment, utxo } from '../../streams/utxos/utxo-fixtures.js'

const NAME = 'vue-chain/test/simnet'

let origin: FakeOrigin
let open: TabClaims[]
beforeEach(() => {
  origin = createFakeOrigin()
  open = []
})
afterEach(() => Promise.all(open.map((tab) => tab.close())))

/** The claims of a tab over reservations of its own. */
function openTab(change: (tabs: PlatformTabs) => Partial<PlatformTabs> = () => ({})) {
  const page = origin.open()
  const warnings: (object | undefined)[] = []
  const failures: unknown[] = []
  const network = { isCurrent: true }
  const unconfirmed = createUnconfirmed({
    network$: NEVER,
    ended$: NEVER,
    platform: createTestPlatform({ scheduler: asyncScheduler }),
  })
  const claims = new TabClaims({
    tabs: { ...page.tabs, ...change(page.tabs) },
    name: NAME,
    isCurrent: () => network.isCurrent,
    unconfirmed,
    platform: { now: () => 1_000, scheduler: asyncScheduler },
    logger: { warn: (_, fields) => warnings.push(fields) },
    onFailure: (error) => failures.push(error),
  })
  open.push(claims)
  /** Reserves and claims the numbered UTXOs for payment `n`. */
  const claim = async (n: number, numbers: readonly number[], state: Claim['state'] = 'planned', replaces?: number) => {
    const release = unconfirmed.reserve(toPayment(n, numbers), Infinity)
    return { result: await claims.claim(toPlan(n, numbers, replaces), state), release }
  }
  const settle = (n: number): void => unconfirmed.dispatch(payment(n).id, { type: 'settled' })
  return { ...page, claims, unconfirmed, warnings, failures, network, claim, settle }
}

const toPayment = (n: number, numbers: readonly number[]) =>
  payment(n, {
    spends: numbers.map((number) => utxo(number)),
    pays: [
      [BOB, 1n],
      [ALICE, 2n],
    ],
  })

const toPlan = (n: number, numbers: readonly number[], replaces?: number): ClaimedPlan => ({
  network: 'simnet',
  payments: [toPayment(n, numbers)],
  change: toScriptPublicKey(ALICE),
  replaces: replaces === undefined ? undefined : payment(replaces).id,
})

const database = () =>
  new IndexedDatabase(origin.databases, {
    name: NAME,
    version: 1,
    durability: 'relaxed',
    create: (created) => created.createObjectStore('claims', { keyPath: 'id' }),
  })

async function edit<T>(work: (store: IDBObjectStore) => Promise<T>): Promise<T> {
  const edited = database()
  try {
    return await edited.run('readwrite', (stores) => work(stores('claims')))
  } finally {
    await edited.close()
  }
}

const records = () => edit((store) => toPromise<Claim[]>(store.getAll()))
const idsClaimed = async (): Promise<readonly string[]> => (await records()).map(({ id }) => id)

/** The claims of other tabs as this one reserves them, by the number of the UTXO. */
const reserved = ({ unconfirmed }: ReturnType<typeof openTab>): readonly number[] =>
  [1, 2, 3].filter((number) => unconfirmed.isReserved(utxo(number).outpoint))

/** A database that begins no transaction while `isFailing`. */
function failing() {
  const state = { isFailing: false }
  const change = ({ databases }: PlatformTabs): Partial<PlatformTabs> => ({
    databases: {
      open(...request) {
        const result = databases.open(...request)
        result.addEventListener('success', () => {
          const database = result.result
          const transaction = database.transaction.bind(database)
          database.transaction = (...args) => {
            if (state.isFailing) throw new DOMException('The database was closed', 'UnknownError')
            return transaction(...args)
          }
        })
        return result
      },
    },
  })
  return { state, change }
}

it('reserves in a tab what another one has claimed, with its change and without its recipients', async () => {
  const [one, two] = [openTab(), openTab()]
  expect((await one.claim(50, [1, 2])).result).toBe('claimed')
  await two.claims.refresh()
  expect(reserved(two)).toEqual([1, 2])
  expect((await two.claim(51, [2, 3])).result).toBe('taken')
  expect((await two.claim(50, [1, 2])).result).toBe('same-payment')
  const [record] = await records()
  expect(record?.change).toEqual([{ index: 1, value: 2n, scriptPublicKey: toScriptPublicKey(ALICE) }])
})

/** A plan of two payments, each of one UTXO. */
const TWO: ClaimedPlan = { ...toPlan(50, [1]), payments: [toPayment(50, [1]), toPayment(51, [2])] }

it('stores the claims of a plan as one record, of which each payment ends by itself', async () => {
  const [one, two] = [openTab(), openTab()]
  const [release] = TWO.payments.map((each) => one.unconfirmed.reserve(each, Infinity))
  expect(await one.claims.claim(TWO, 'planned')).toBe('claimed')
  expect(await idsClaimed()).toEqual([payment(51).id])
  await two.claims.refresh()
  expect(reserved(two)).toEqual([1, 2])
  release!()
  await expect.poll(() => reserved(two)).toEqual([2])
  expect((await two.claim(52, [2])).result).toBe('taken')
  expect((await two.claim(53, [1])).result).toBe('claimed')
})

it('has the payments of a plan that are sent one after the other in records of their own', async () => {
  const [one, two] = [openTab(), openTab()]
  for (const each of TWO.payments) one.unconfirmed.reserve(each, Infinity)
  await one.claims.claim(TWO, 'planned')
  await two.claims.refresh()
  expect(await one.claims.claim({ ...TWO, payments: TWO.payments.slice(0, 1) }, 'sent')).toBe('claimed')
  expect(await records()).toMatchObject([
    { id: payment(50).id, state: 'sent', version: 1 },
    { id: payment(51).id, state: 'planned', version: 1 },
  ])
  expect((await two.claim(52, [2])).result).toBe('taken')
  one.close() // without a word, as a crash
  expect((await two.claim(53, [1])).result).toBe('taken')
  expect((await two.claim(53, [2])).result).toBe('claimed')
})

it('frees all UTXOs of a plan whose record another release has deleted', async () => {
  const [one, two] = [openTab(), openTab()]
  for (const each of TWO.payments) one.unconfirmed.reserve(each, Infinity)
  await one.claims.claim(TWO, 'planned')
  await two.claims.refresh()
  const removed = [payment(51).id]
  const edited = database()
  await edited.run('readwrite', async (stores) => {
    const [last = 0] = (await toPromise(stores('changes').getAllKeys())).slice(-1)
    stores('changes').put({ number: Number(last) + 1, added: [], removed })
    await toPromise(stores('claims').delete(removed[0]!))
  })
  await edited.close()
  expect((await two.claim(52, [1, 2])).result).toBe('claimed')
  expect(await one.claims.claim(TWO, 'sent')).toBe('taken')
})

it('ends what this tab has released, and not the claim that another one has of it since', async () => {
  const [one, two] = [openTab(), openTab()]
  const { release } = await one.claim(50, [1])
  one.suspend() // its claim is free for others now
  await two.claims.refresh()
  expect((await two.claim(50, [1], 'sent')).result).toBe('claimed')
  release()
  await one.claim(52, [3]) // after the end of what is released
  await expect.poll(idsClaimed).toEqual([payment(50).id, payment(52).id])
  expect((await records())[0]?.state).toBe('sent')
})

it('ends the claim of another tab that it has seen settled', async () => {
  const [one, two] = [openTab(), openTab()]
  await one.claim(50, [1], 'sent')
  await two.claims.refresh()
  two.settle(50)
  await expect.poll(idsClaimed).toEqual([])
})

it('ends the claim of another tab that a payment of this one has replaced', async () => {
  const [one, two] = [openTab(), openTab()]
  await one.claim(50, [1], 'sent')
  expect((await two.claim(51, [1, 2], 'sent', 50)).result).toBe('claimed')
  two.unconfirmed.replaced(payment(50).id)
  await expect.poll(idsClaimed).toEqual([payment(51).id])
})

it('replaces the replacement of a payment whose tab has not seen it yet', async () => {
  const [one, two, three] = [openTab(), openTab(), openTab()]
  await one.claim(50, [1], 'sent')
  await two.claim(51, [1, 2], 'sent', 50)
  expect((await three.claim(52, [1, 2, 3], 'planned', 51)).result).toBe('claimed')
  expect((await two.claim(53, [1, 3], 'planned', 51)).result).toBe('taken')
})

it('tries again to end a claim where the database has failed', async () => {
  const { state, change } = failing()
  const tab = openTab(change)
  const { release } = await tab.claim(50, [1])
  await tab.claim(51, [2])
  state.isFailing = true
  release()
  await expect.poll(() => tab.failures.length).toBeGreaterThan(0)
  expect(await idsClaimed()).toEqual([payment(50).id, payment(51).id])
  state.isFailing = false
  tab.unconfirmed.reserve(toPayment(54, [3])) // any change
  await expect.poll(idsClaimed).toEqual([payment(51).id])
})

it('keeps what was sent on another network', async () => {
  const tab = openTab()
  const { release } = await tab.claim(50, [1], 'sent')
  tab.network.isCurrent = false
  release() // as a change of the network does
  await tab.claims.refresh()
  await tab.claim(51, [2])
  expect(await idsClaimed()).toEqual([payment(50).id, payment(51).id])
})

it('writes no claim beyond the maximum, and goes on once there are fewer', async () => {
  const tab = openTab()
  await tab.claim(50, [1])
  const [record] = await records()
  const others = Array.from({ length: MAX_CLAIMS - 1 }, (_, at) => ({ ...record, id: payment(at + 1_000).id }))
  await edit((store) => Promise.all(others.map((each) => toPromise(store.put(each)))))
  await expect(tab.claim(51, [2])).rejects.toMatchObject({ name: 'QuotaExceededError' })
  expect(await records()).toHaveLength(MAX_CLAIMS)
  await expect(tab.claim(50, [1], 'sent')).resolves.toMatchObject({ result: 'claimed' })
  await edit((store) => toPromise(store.delete(others[0]!.id)))
  await expect(tab.claim(51, [2])).resolves.toMatchObject({ result: 'claimed' })
})

it('deletes damaged records and says how many, and keeps the others', async () => {
  const [one, two] = [openTab(), openTab()]
  await one.claim(50, [1])
  const damaged = [{ id: 'x' }, { id: payment(51).id, outpoints: 'all' }, { id: payment(52).id, version: 1 }]
  await edit((store) => Promise.all(damaged.map((each) => toPromise(store.put(each)))))
  await two.claims.refresh()
  expect(reserved(two)).toEqual([1])
  expect((await two.claim(53, [2])).result).toBe('claimed')
  expect(two.warnings).toEqual([{ count: 3 }])
  expect(await idsClaimed()).toEqual([payment(50).id, payment(53).id])
})

it('writes once for changes in one task', async () => {
  let writes = 0
  const tab = openTab((tabs) => ({
    notify(name) {
      writes++
      tabs.notify(name)
    },
  }))
  const released = [await tab.claim(50, [1]), await tab.claim(51, [2]), await tab.claim(52, [3])]
  writes = 0
  for (const { release } of released) release()
  await expect.poll(idsClaimed).toEqual([])
  await tab.claims.refresh()
  expect(writes).toBe(1)
})

it('claims nothing, and reserves nothing of others, after it was closed', async () => {
  const [one, two] = [openTab(), openTab()]
  await one.claim(50, [1])
  const late = two.claims.refresh()
  await two.claims.close()
  await late
  expect(reserved(two)).toEqual([])
  await expect(two.claims.claim(toPlan(51, [2]), 'planned')).rejects.toThrow('closed')
  await expect(two.claims.refresh()).rejects.toThrow('closed')
  expect(two.failures).toEqual([])
  expect(await idsClaimed()).toEqual([payment(50).id])
})

it('takes over at once what a tab has sent that was closed, where it is the same payment', async () => {
  const [one, two] = [openTab(), openTab()]
  await one.claim(50, [1], 'sent')
  one.close() // without a word, as a crash
  expect((await two.claim(51, [1])).result).toBe('taken')
  expect((await two.claim(50, [1])).result).toBe('claimed')
  expect((await records())[0]).toMatchObject({ state: 'sent' })
})
