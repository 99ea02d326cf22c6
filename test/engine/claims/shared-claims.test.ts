import { schnorr } from '@noble/curves/secp256k1.js'
import { hexToBytes } from '@noble/hashes/utils.js'
import { asyncScheduler, finalize, type SchedulerAction, type SchedulerLike, type Subscription } from 'rxjs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../../src/devnode/index.js'
import { createChainEngine, type ChainEngine } from '../../../src/engine/engine.js'
import type { ChainEngineOptions } from '../../../src/engine/options.js'
import { isInsufficientFunds } from '../../../src/errors/payment-errors.js'
import { light } from '../../../src/light/index.js'
import type { SerializedTransaction } from '../../../src/model/serialized-transaction.js'
import type { PendingTx, SendOptions } from '../../../src/operations/transactions/records.js'
import type { TransactionSigner } from '../../../src/sdk/port.js'
import { createPlatform } from '../../../src/platform/detect.js'
import type { PlatformTabs } from '../../../src/platform/port.js'
import type { SharingState } from '../../../src/engine/features/sharing.js'
import { createFakeOrigin, type FakeOrigin } from '../../platform/fake-tabs.js'

const KAS = 100_000_000n

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

/** A hundred times slower, so that a busy machine does not end the wait for a claim. */
const slow: SchedulerLike = {
  now: () => performance.now() / 100,
  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T): Subscription {
    return asyncScheduler.schedule(work, delay * 100, state)
  },
}

async function openTab(tabs: PlatformTabs | null, shared: ChainEngineOptions['shared'] = { connection: false }) {
  const engine = createChainEngine({
    network: 'simnet',
    url: devnode.urls.borsh,
    sdk: light,
    shared,
    ports: { platform: { ...createPlatform(), scheduler: slow, tabs } },
  })
  engines.push(engine)
  await Promise.all([engine.connection.connect(), engine.wasm.init()])
  return engine
}

interface PaySettings {
  readonly amount: bigint
  readonly utxos: number
  readonly signer: TransactionSigner
  readonly onSigned: SendOptions['onSigned']
}

/** Pays from the first account to the second one, from the first `utxos` of its UTXOs. */
async function pay(engine: ChainEngine, { amount = KAS, utxos = 3, signer, onSigned }: Partial<PaySettings> = {}) {
  const [from, to] = devnode.accounts
  const entries = (await engine.rpc.getUtxosByAddresses([from!.address])).slice(0, utxos)
  const settings = { entries, outputs: [{ address: to!.address, amount }], changeAddress: from!.address }
  const { transactionIds } = await (signer === undefined
    ? engine.transactions.send({ ...settings, privateKeys: [from!.privateKeyHex] }, { onSigned })
    : engine.transactions.send({ ...settings, signer }, { onSigned }))
  return transactionIds[0]!
}

const KEYS = (): readonly string[] => [devnode.accounts[0]!.privateKeyHex]

/** A payment from the first UTXOs of the first account, unsigned. */
async function create(engine: ChainEngine, amount = KAS, utxos = 1): Promise<PendingTx> {
  const [from, to] = devnode.accounts
  const entries = (await engine.rpc.getUtxosByAddresses([from!.address])).slice(0, utxos)
  const outputs = [{ address: to!.address, amount }]
  const { transactions } = await engine.transactions.create({ entries, outputs, changeAddress: from!.address })
  return transactions[0]!
}

function deferred() {
  let resolve = (): void => undefined
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve: () => resolve() }
}

const idsPaid = (): readonly string[] =>
  devnode.expected.transfers([devnode.accounts[1]!.address]).map(({ transactionId }) => transactionId)

const stateOf = (engine: ChainEngine): SharingState => {
  let latest: SharingState | undefined
  engine.sharing.state$.subscribe((state) => (latest = state)).unsubscribe()
  return latest!
}

it('pays with as many ids as payments, where two tabs pay the same from the same UTXOs', async () => {
  const tabs = [await openTab(origin.open().tabs), await openTab(origin.open().tabs)]
  const results = await Promise.allSettled(Array.from({ length: 20 }, (_, at) => pay(tabs[at % 2]!)))
  await devnode.mine(2)
  const ids = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
  expect(ids.length).toBeGreaterThan(0)
  expect(new Set(ids).size).toBe(ids.length)
  expect([...idsPaid()].sort()).toEqual([...ids].sort())
  expect(errors.filter((error) => !isInsufficientFunds(error))).toEqual([])
  expect(tabs.map(stateOf)).toEqual(tabs.map(() => ({ claims: 'shared', connection: 'own', tabs: null, reason: null })))
})

it('cancels a payment of another tab, whose UTXOs it claims again', async () => {
  const [paying, other] = [await openTab(origin.open().tabs), await openTab(origin.open().tabs)]
  const [from] = devnode.accounts
  const id = await pay(paying, { utxos: 1 })
  const entries = (await other.rpc.getUtxosByAddresses([from!.address])).slice(0, 1)
  const settings = { entries, changeAddress: from!.address, privateKeys: [from!.privateKeyHex] }
  await other.transactions.cancel(id, settings)
  await devnode.mine(2)
  expect(idsPaid()).toEqual([])
})

it('frees the UTXOs of a tab that ends before it has signed, and respects those of one that is open', async () => {
  const first = origin.open()
  const second = origin.open()
  const [ending, other] = [await openTab(first.tabs), await openTab(second.tabs)]
  const requested = deferred()
  const signer: TransactionSigner = {
    sign() {
      requested.resolve()
      return new Promise<never>(() => undefined) // a person who never decides
    },
  }
  void pay(ending, { utxos: 1, signer }).catch(() => undefined)
  await requested.promise
  await expect(pay(other, { utxos: 1 })).rejects.toMatchObject({
    code: 'insufficient-funds',
    reserved: expect.any(BigInt),
  })
  first.close()
  const id = await pay(other, { utxos: 1 })
  await devnode.mine(2)
  expect(idsPaid()).toEqual([id])
})

it('sends nothing where the page was suspended, and another tab has paid from the same UTXO meanwhile', async () => {
  const first = origin.open()
  const [suspended, other] = [await openTab(first.tabs), await openTab(origin.open().tabs)]
  const requested = deferred()
  const thawed = deferred()
  const signer: TransactionSigner = {
    async sign(requests) {
      requested.resolve()
      await thawed.promise
      return requests.map(({ sighash }) => schnorr.sign(sighash, hexToBytes(devnode.accounts[0]!.privateKeyHex)))
    },
  }
  const late = pay(suspended, { utxos: 1, signer })
  late.catch(() => undefined)
  await requested.promise
  first.suspend()
  await expect.poll(() => pay(other, { utxos: 1 }).catch(() => undefined)).toBeTypeOf('string')
  thawed.resolve()
  await expect(late).rejects.toMatchObject({ code: 'aborted', outcome: 'unsent' })
  await devnode.mine(2)
  expect(idsPaid().length).toBe(1)
})

it('pays without claims where the database fails, says so, and shares them again with a later payment', async () => {
  const { tabs } = origin.open()
  let isFailing = true
  const databases: PlatformTabs['databases'] = {
    open: (...request) => {
      if (isFailing) throw new DOMException('The database is blocked', 'SecurityError')
      return tabs.databases.open(...request)
    },
  }
  const engine = await openTab({ ...tabs, databases })
  const first = await pay(engine)
  expect(stateOf(engine)).toEqual({ claims: 'own', connection: 'own', tabs: null, reason: 'storage-failed' })
  isFailing = false
  const second = await pay(engine)
  expect(stateOf(engine)).toEqual({ claims: 'shared', connection: 'own', tabs: null, reason: null })
  await devnode.mine(2)
  expect([...idsPaid()].sort()).toEqual([first, second].sort())
})

it('closes what it has opened where the claims cannot be read at first, and opens it again', async () => {
  const { tabs } = origin.open()
  const other = await openTab(origin.open().tabs)
  const opened: IDBDatabase[] = []
  let isFailing = true
  const databases: PlatformTabs['databases'] = {
    open(...request) {
      const result = tabs.databases.open(...request)
      result.addEventListener('success', () => {
        opened.push(result.result)
        if (isFailing) result.result.transaction = () => fail()
      })
      return result
    },
  }
  const fail = (): never => {
    throw new DOMException('The database was closed', 'UnknownError')
  }
  const notified: string[] = []
  const notified$ = (name: string) => {
    notified.push(name)
    return tabs.notified$(name).pipe(finalize(() => notified.pop()))
  }
  const engine = await openTab({ ...tabs, databases, notified$ })
  await pay(engine)
  expect(stateOf(engine)).toMatchObject({ reason: 'storage-failed' })
  expect(notified).toEqual([])
  isFailing = false
  await pay(engine)
  expect(stateOf(engine)).toMatchObject({ reason: null })
  expect(notified).toEqual(['vue-chain/vue-chain/simnet'])
  await pay(other).catch(() => undefined)
})

it('claims a created payment before it is signed, and releases it where it is not', async () => {
  const [one, two] = [await openTab(origin.open().tabs), await openTab(origin.open().tabs)]
  const [first, second] = [await create(one), await create(two, 2n * KAS)]
  await first.signAsync(KEYS())
  await expect(second.signAsync(KEYS())).rejects.toMatchObject({ code: 'aborted' })
  await expect(create(two, 2n * KAS)).rejects.toMatchObject({
    code: 'insufficient-funds',
    reserved: expect.any(BigInt),
  })
  await first.submit()
  expect(await readClaims()).toMatchObject([{ id: first.id, state: 'sent' }])
  await devnode.mine(2)
  expect(idsPaid()).toEqual([first.id])

  const third = await create(two, 2n * KAS, 1)
  const refused: TransactionSigner = { sign: () => Promise.reject(new Error('No')) }
  await expect(third.signAsync(refused)).rejects.toMatchObject({ code: 'failed' })
  await expect.poll(readClaims).not.toContainEqual(expect.objectContaining({ id: third.id }))
  third.sign(KEYS())
  await third.submit()
  await devnode.mine(2)
  expect(idsPaid()).toEqual(expect.arrayContaining([first.id, third.id]))
})

it('submits nothing that was signed at once, where another tab has paid from its UTXO since', async () => {
  const [one, two] = [await openTab(origin.open().tabs), await openTab(origin.open().tabs)]
  const created = await create(one)
  created.sign(KEYS())
  const id = await pay(two, { amount: 2n * KAS, utxos: 1 })
  await expect(created.submit()).rejects.toMatchObject({
    code: 'aborted',
    outcome: 'unsent',
    transactionId: created.id,
  })
  await devnode.mine(2)
  expect(idsPaid()).toEqual([id])
})

it('submits in one of two tabs what both have restored, and follows it in the other one', async () => {
  const paying = origin.open()
  const tab = await openTab(paying.tabs)
  const created = await create(tab)
  await created.signAsync(KEYS())
  const stored = created.serialize()
  paying.close()
  const [one, two] = [await openTab(origin.open().tabs), await openTab(origin.open().tabs)]
  const restored = [await one.transactions.restore(stored), await two.transactions.restore(stored)]
  expect(await readClaims()).toMatchObject([{ id: created.id, state: 'sent' }])
  await expect(pay(two, { amount: 2n * KAS, utxos: 1 })).rejects.toMatchObject({ code: 'insufficient-funds' })
  for (const payment of restored) expect(await payment.submit()).toBe(created.id)
  expect(restored.map(({ known }) => known)).toEqual(['new', 'mempool'])
  await devnode.mine(2)
  expect(idsPaid()).toEqual([created.id])
})

it('submits after a reload what the page has stored, also where it was sent already', async () => {
  const page = origin.open()
  const tab = await openTab(page.tabs)
  let stored: readonly SerializedTransaction[] = []
  const id = await pay(tab, { utxos: 1, onSigned: (payments) => void (stored = payments) })
  page.close()
  const reloaded = await openTab(origin.open().tabs)
  const payment = await reloaded.transactions.restore(stored[0]!)
  expect(await payment.submit()).toBe(id)
  await devnode.mine(2)
  expect(idsPaid()).toEqual([id])
})

it('never pays with a restored payment whose UTXO another tab has paid with', async () => {
  const page = origin.open()
  const created = await create(await openTab(page.tabs))
  await created.signAsync(KEYS())
  page.close()
  const [one, two] = [await openTab(origin.open().tabs), await openTab(origin.open().tabs)]
  const id = await pay(two, { amount: 2n * KAS, utxos: 1 })
  const restored = await one.transactions.restore(created.serialize())
  const outcome = { code: 'aborted', outcome: 'unknown', transactionId: created.id }
  await expect(restored.submit()).rejects.toMatchObject(outcome)
  await devnode.mine(2)
  expect(idsPaid()).toEqual([id])
})

it('shares nothing without the option, and nothing where tabs have no locks', async () => {
  const [off, unsupported] = [await openTab(origin.open().tabs, false), await openTab(null)]
  await pay(off, { utxos: 10 })
  await pay(unsupported, { utxos: 10 }).catch(() => undefined)
  expect(stateOf(off)).toEqual({ claims: 'own', connection: 'own', tabs: null, reason: 'off' })
  expect(stateOf(unsupported)).toEqual({ claims: 'own', connection: 'own', tabs: null, reason: 'unsupported' })
  expect(await origin.databases.databases()).toEqual([])
})

it('deletes claims once they are settled, and damaged records', async () => {
  const engine = await openTab(origin.open().tabs)
  const balance = engine.balances$([devnode.accounts[0]!.address]).subscribe()
  await pay(engine)
  expect(await readClaims()).toMatchObject([{ state: 'sent', kind: 'payment' }])
  await devnode.mine(2)
  await expect.poll(readClaims).toEqual([])
  balance.unsubscribe()
})

async function readClaims(): Promise<readonly unknown[]> {
  const opened = origin.databases.open('vue-chain/vue-chain/simnet', 1)
  const database = await new Promise<IDBDatabase>((resolve) => (opened.onsuccess = () => resolve(opened.result)))
  const request = database.transaction('claims').objectStore('claims').getAll()
  const rows = await new Promise<unknown[]>((resolve) => (request.onsuccess = () => resolve(request.result)))
  database.close()
  return rows
}
