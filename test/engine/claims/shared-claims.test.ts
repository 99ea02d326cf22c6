import { schnorr } from '@noble/curves/secp256k1.js'
import { hexToBytes } from '@noble/hashes/utils.js'
import { asyncScheduler, type SchedulerAction, type SchedulerLike, type Subscription } from 'rxjs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../../src/devnode/index.js'
import { createChainEngine, type ChainEngine } from '../../../src/engine/engine.js'
import type { ChainEngineOptions } from '../../../src/engine/options.js'
import { isInsufficientFunds } from '../../../src/errors/insufficient-funds.js'
import { light } from '../../../src/light/index.js'
import type { TransactionSigner } from '../../../src/operations/transactions/sign/signer.js'
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

async function openTab(tabs: PlatformTabs | null, shared: ChainEngineOptions['shared'] = true) {
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

/** Pays from the first account to the second one, from the first `utxos` of its UTXOs. */
async function pay(
  engine: ChainEngine,
  { amount = KAS, utxos = 3, signer = undefined as TransactionSigner | undefined } = {},
) {
  const [from, to] = devnode.accounts
  const entries = (await engine.rpc.getUtxosByAddresses([from!.address])).slice(0, utxos)
  const settings = { entries, outputs: [{ address: to!.address, amount }], changeAddress: from!.address }
  const { transactionIds } = await (signer === undefined
    ? engine.transactions.send({ ...settings, privateKeys: [from!.privateKeyHex] })
    : engine.transactions.send({ ...settings, signer }))
  return transactionIds[0]!
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
  expect(tabs.map(stateOf)).toEqual(tabs.map(() => ({ claims: 'shared', connection: 'own', reason: null })))
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
  expect(stateOf(engine)).toEqual({ claims: 'own', connection: 'own', reason: 'storage-failed' })
  isFailing = false
  const second = await pay(engine)
  expect(stateOf(engine)).toEqual({ claims: 'shared', connection: 'own', reason: null })
  await devnode.mine(2)
  expect([...idsPaid()].sort()).toEqual([first, second].sort())
})

it('shares nothing without the option, and nothing where tabs have no locks', async () => {
  const [off, unsupported] = [await openTab(origin.open().tabs, false), await openTab(null)]
  await pay(off, { utxos: 10 })
  await pay(unsupported, { utxos: 10 }).catch(() => undefined)
  expect(stateOf(off)).toEqual({ claims: 'own', connection: 'own', reason: 'off' })
  expect(stateOf(unsupported)).toEqual({ claims: 'own', connection: 'own', reason: 'unsupported' })
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
