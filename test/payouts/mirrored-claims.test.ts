import { filter, firstValueFrom } from 'rxjs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Devnode } from '../../src/devnode/index.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import type { ChainEngineOptions } from '../../src/engine/options.js'
import { PayoutError } from '../../src/errors/payout-error.js'
import { light } from '../../src/light/index.js'
import { parseClaim, type Claim } from '../../src/model/claims/claim.js'
import { packOutpoints, unpackOutpoints } from '../../src/model/claims/packed-outpoints.js'
import { toOutpointKey } from '../../src/model/utxo.js'
import { createIndexedDbJournal } from '../../src/payouts/stores/indexed-db-journal.js'
import { createPlatform } from '../../src/platform/detect.js'
import { toPromise } from '../../src/platform/indexed-database.js'
import type { PayoutJournal } from '../../src/streams/payouts/journal.js'
import { pollMined } from '../poll-mined.js'
import { createFakeOrigin, type FakeOrigin } from '../platform/fake-tabs.js'
import { KAS, createQueue, openRecipients, startNode } from './support/queue.js'

let node: Devnode
let origin: FakeOrigin
const ends: (() => Promise<void>)[] = []
beforeEach(async () => {
  node = await startNode()
  await node.mine(2)
  origin = createFakeOrigin()
  ends.push(() => node.close())
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A page of the origin. */
function openPage() {
  const { tabs } = origin.open()
  const options: ChainEngineOptions = { shared: true, ports: { platform: { ...createPlatform(), tabs } } }
  return { tabs, options }
}

async function openTab(): Promise<ChainEngine> {
  const { options } = openPage()
  const engine = createChainEngine({ network: 'simnet', url: node.urls.borsh, sdk: light, ...options })
  ends.push(() => engine.dispose())
  await Promise.all([engine.connection.connect(), engine.wasm.init()])
  return engine
}

async function startQueue() {
  const { tabs, options } = openPage()
  const queue = createQueue([node], createIndexedDbJournal(tabs), {}, options)
  ends.push(() => queue.end())
  queue.run()
  await firstValueFrom(queue.payouts.status$.pipe(filter(({ phase }) => phase === 'running')))
  return queue
}

const claimed = async (): Promise<readonly (Claim | undefined)[]> => {
  const database = await toPromise(origin.databases.open('vue-chain/vue-chain/simnet'))
  const rows = await toPromise<unknown[]>(database.transaction('claims').objectStore('claims').getAll())
  database.close()
  return rows.map(parseClaim)
}

it('leaves out what a queue in another tab has signed, until it is settled', async () => {
  const tab = await openTab()
  const queue = await startQueue()
  const recipient = (await openRecipients()).address(1)
  const [payer] = node.accounts
  const entries = await tab.rpc.getUtxosByAddresses([payer!.address])
  await queue.payouts.pay('a', { address: recipient, amount: KAS })
  await expect.poll(async () => (await queue.payouts.get('a'))?.state).toBe('relayed')
  const [attempt] = (await queue.payouts.get('a'))!.attempts
  const owner = `vue-chain/payouts/payouts ${payer!.address}`
  expect(await claimed()).toMatchObject([{ id: attempt!.transactionId, kind: 'payout', state: 'sent', owner }])

  await queue.stop() // the claim outlives the tab
  const outpoints = unpackOutpoints((await claimed())[0]!.outpoints).map(toOutpointKey)
  const spent = entries.filter(({ outpoint }) => outpoints.includes(toOutpointKey(outpoint)))
  const settings = {
    entries: spent,
    outputs: [{ address: recipient, amount: KAS }],
    changeAddress: payer!.address,
    privateKeys: [payer!.privateKeyHex],
  }
  const reserved = spent.reduce((sum, { amount }) => sum + amount, 0n)
  const refused = { code: 'insufficient-funds', reserved }
  await expect(tab.transactions.send(settings)).rejects.toMatchObject(refused)
  await expect(
    tab.transactions.cancel(attempt!.transactionId, {
      entries: spent,
      changeAddress: payer!.address,
      privateKeys: [payer!.privateKeyHex],
    }),
  ).rejects.toMatchObject({ code: 'insufficient-funds' })

  queue.run()
  await pollMined(node, async () => (await queue.payouts.get('a'))?.state).toBe('settled')
  await expect.poll(claimed).toEqual([])
})

it('does not count a payout that no journal of the origin has', async () => {
  const tab = await openTab()
  const [payer] = node.accounts
  const [entry] = await tab.rpc.getUtxosByAddresses([payer!.address])
  const settings = {
    entries: [entry!],
    outputs: [{ address: payer!.address, amount: KAS }],
    changeAddress: payer!.address,
    privateKeys: [payer!.privateKeyHex],
  }
  await tab.transactions.estimate(settings)
  await expect.poll(() => origin.databases.databases()).toHaveLength(1)
  const database = await toPromise(origin.databases.open('vue-chain/vue-chain/simnet'))
  const invented = {
    version: 1,
    id: 'ab'.repeat(32),
    outpoints: packOutpoints([entry!.outpoint]),
    kind: 'payout',
    state: 'sent',
    owner: 'vue-chain/payouts/payouts wallet',
    at: 0,
    change: [],
  }
  await toPromise(database.transaction('claims', 'readwrite').objectStore('claims').put(invented))
  database.close()
  await tab.transactions.send(settings)
  expect(await claimed()).toMatchObject([{ kind: 'payment' }])
  expect(await origin.databases.databases()).toMatchObject([{ name: 'vue-chain/vue-chain/simnet' }])
})

it('works in a further session where the journal could not be read for the copy of its claims', async () => {
  const { tabs, options } = openPage()
  const journal = createIndexedDbJournal(tabs)
  let opened = 0
  const open: PayoutJournal['open'] = async (...args) => {
    const session = await journal.open(...args)
    if (opened++ > 0) return session
    return { ...session, groups: () => Promise.reject(new PayoutError('Busy', { code: 'journal-unavailable' })) }
  }
  const queue = createQueue([node], { ...journal, open }, {}, options)
  ends.push(() => queue.end())
  queue.run()
  await firstValueFrom(queue.payouts.status$.pipe(filter(({ phase }) => phase === 'running')))
  expect(opened).toBe(2)
})
