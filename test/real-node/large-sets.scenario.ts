import { BehaviorSubject } from 'rxjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../../src/devnode/machine.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { light } from '../../src/light/index.js'
import type { RpcEncoding } from '../../src/model/network.js'
import { toOutpointKey, type UtxoEntry } from '../../src/model/utxo.js'
import type { UtxoState } from '../../src/streams/utxos/view/state.js'
import { newAccount } from '../contract/node/support/payment.js'
import { startCuttingProxy, type CuttingProxy } from './cutting-proxy.js'
import { PREFIX, startKaspad, type Kaspad } from './kaspad.js'

const KAS = 100_000_000n
const COUNT = 100_000
const PER_UTXO = 100n * KAS

const [alice, bob, miner] = [newAccount(PREFIX), newAccount(PREFIX), newAccount(PREFIX)]
const random = createRandom(11)
let node: Kaspad
const engines: ChainEngine[] = []

const openEngine = (url: string, encoding: RpcEncoding): ChainEngine => {
  const engine = createChainEngine({
    network: 'simnet',
    url,
    encoding,
    sdk: light,
    reconnect: { maxRetries: Infinity, baseDelay: 10, maxDelay: 100 },
  })
  engines.push(engine)
  return engine
}

beforeAll(async () => {
  node = await startKaspad({ preallocated: { count: COUNT, address: alice.address, amount: PER_UTXO } })
  await node.mine(3, miner.address)
})

afterAll(async () => {
  await Promise.all(engines.map((engine) => engine.dispose()))
  await node.close()
})

const plain = ({ outpoint, amount, blockDaaScore, isCoinbase, covenantId, address, scriptPublicKey }: UtxoEntry) =>
  `${toOutpointKey(outpoint)} ${amount} ${blockDaaScore} ${isCoinbase} ${covenantId} ${address} ${scriptPublicKey.version} ${scriptPublicKey.script}`

const texts = (entries: readonly UtxoEntry[]): string => entries.map(plain).sort().join('\n')

/** Follows the UTXOs of addresses. */
function follow(engine: ChainEngine, addresses: readonly string[]): () => UtxoState {
  const states$ = new BehaviorSubject<UtxoState | null>(null)
  engine.utxos(addresses, { mempoolInterval: 0 }).state$.subscribe(states$)
  return () => {
    if (states$.value === null) throw new Error('No state')
    return states$.value
  }
}

/** A payment from alice to bob. */
async function pay(engine: ChainEngine, entries: readonly UtxoEntry[], amount: bigint): Promise<void> {
  await engine.transactions.send({
    entries: entries.filter(({ address }) => address === alice.address),
    outputs: [{ address: bob.address, amount }],
    changeAddress: alice.address,
    privateKeys: [alice.privateKey],
  })
}

/** A template is cached for a second: the second one has the payment. */
async function include(): Promise<void> {
  await new Promise((wait) => setTimeout(wait, 1_100))
  await node.mine(3, miner.address)
}

/** The UTXOs at the node. */
const atNode = async (addresses: readonly string[]): Promise<string> =>
  texts((await node.client().call('getUtxosByAddresses', { addresses: [...addresses] })).entries)

describe('an address of 100,000 UTXOs on a real node', () => {
  it.each(['Borsh', 'SerdeJson'] as const)('is the node’s in %s, and after payments', async (encoding) => {
    const engine = openEngine(encoding === 'Borsh' ? node.url : node.jsonUrl, encoding)
    const state = follow(engine, [alice.address, bob.address])
    await expect.poll(() => state().freshness).toBe('fresh')
    expect(state().entries.length).toBeGreaterThan(COUNT - 1_000)
    expect(texts(state().entries) === (await atNode([alice.address, bob.address]))).toBe(true)
    await engine.wasm.init()
    await pay(engine, state().matureEntries, 150n * KAS)
    await pay(engine, state().matureEntries, 15_000n * KAS) // compounds
    await include()
    await expect.poll(async () => texts(state().entries) === (await atNode([alice.address, bob.address]))).toBe(true)
    await engine.dispose()
  })

  it('is the same in both encodings', async () => {
    const borsh = openEngine(node.url, 'Borsh')
    const json = openEngine(node.jsonUrl, 'SerdeJson')
    const states = [follow(borsh, [alice.address]), follow(json, [alice.address])]
    for (const state of states) await expect.poll(() => state().freshness).toBe('fresh')
    expect(states[0]!().entries.length).toBeGreaterThan(COUNT - 1_000)
    expect(texts(states[0]!().entries) === texts(states[1]!().entries)).toBe(true)
    expect(states[0]!().balance).toEqual(states[1]!().balance)
    await Promise.all([borsh.dispose(), json.dispose()])
  })

  describe.each(['Borsh', 'SerdeJson'] as const)('over a connection that is cut at random bytes, %s', (encoding) => {
    let proxy: CuttingProxy
    beforeAll(async () => {
      proxy = await startCuttingProxy(Number(new URL(encoding === 'Borsh' ? node.url : node.jsonUrl).port))
    })
    afterAll(() => proxy.close())

    it('is the node’s once the connection holds', async () => {
      proxy.cutAfter(() => Math.floor(random() * 3_000_000))
      const engine = openEngine(proxy.url, encoding)
      const state = follow(engine, [alice.address, bob.address])
      const sender = openEngine(node.url, 'Borsh')
      await sender.wasm.init()
      const entries = follow(sender, [alice.address])
      await expect.poll(() => entries().freshness).toBe('fresh')
      for (let payment = 0; payment < 4; payment++) {
        await pay(sender, entries().matureEntries, 130n * KAS)
        await include()
        const before = proxy.connections()
        await expect.poll(() => proxy.connections()).toBeGreaterThan(before + 2)
      }
      proxy.cutAfter(undefined)
      await expect.poll(() => state().freshness).toBe('fresh')
      await expect.poll(async () => texts(state().entries) === (await atNode([alice.address, bob.address]))).toBe(true)
      await Promise.all([engine.dispose(), sender.dispose()])
    })
  })
})

describe('10,000 addresses on a real node', () => {
  it.each(['Borsh', 'SerdeJson'] as const)('are followed in %s', async (encoding) => {
    const accounts = Array.from({ length: 9_999 }, () => newAccount(PREFIX).address)
    const watched = new Set(accounts)
    const addresses = [...accounts, alice.address]
    const engine = openEngine(encoding === 'Borsh' ? node.url : node.jsonUrl, encoding)
    await engine.wasm.init()
    const state = follow(engine, addresses)
    await expect.poll(() => state().freshness).toBe('fresh')
    const outputs = [accounts[0]!, accounts[5_000]!, accounts[9_998]!].map((address) => ({
      address,
      amount: 40n * KAS,
    }))
    await engine.transactions.send({
      entries: state().matureEntries,
      outputs,
      changeAddress: alice.address,
      privateKeys: [alice.privateKey],
    })
    await include()
    await expect.poll(() => state().entries.filter(({ address }) => watched.has(address ?? '')).length).toBe(3)
    expect(texts(state().entries) === (await atNode(addresses))).toBe(true)
    await engine.dispose()
  })
})
