import { filter, firstValueFrom, skip } from 'rxjs'
import { afterEach, describe, expect, it } from 'vitest'
import {
  createMemoryDevnode,
  type MemoryDevnode,
  type MemoryDevnodeOptions,
} from '../../../src/devnode/memory/create-memory-devnode.js'
import { createChainEngine, type ChainEngine } from '../../../src/engine/engine.js'
import type { ChainEngineOptions } from '../../../src/engine/options.js'
import { light } from '../../../src/sdk/light/light.js'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

function openDevnode(options: MemoryDevnodeOptions = {}): MemoryDevnode {
  const devnode = createMemoryDevnode({ blockInterval: 0, ...options })
  closing.push(() => devnode.close())
  return devnode
}

function openEngine(devnode: MemoryDevnode, options: ChainEngineOptions = {}): ChainEngine {
  const reconnect = { baseDelay: 1, jitter: 0 }
  const engine = createChainEngine({ ...devnode.engineOptions, sdk: light, reconnect, ...options })
  closing.push(() => engine.dispose())
  return engine
}

/** The next connection. */
const reconnected = (engine: ChainEngine): Promise<unknown> =>
  firstValueFrom(
    engine.connection.state$.pipe(
      skip(1),
      filter(({ status }) => status === 'connected'),
    ),
  )

describe('an engine on a devnode in memory', () => {
  it.each(['Borsh', 'SerdeJson'] as const)('receives scores over %s', async (encoding) => {
    const devnode = openDevnode()
    const engine = openEngine(devnode, { encoding, url: encoding === 'Borsh' ? devnode.urls.borsh : devnode.urls.json })
    const score = firstValueFrom(engine.virtualDaaScore$.pipe(filter((current) => current === 5n)))
    await engine.connection.connect()
    await devnode.mine(5)
    expect(await score).toBe(5n)
    expect(devnode.connections().map((connection) => connection.encoding)).toEqual([encoding])
  })

  it('pays, and reads the payment from the indexer', async () => {
    const devnode = openDevnode()
    const engine = openEngine(devnode)
    const [payer, payee] = devnode.accounts
    await Promise.all([engine.connection.connect(), engine.wasm.init()])
    const entries = await engine.rpc.getUtxosByAddresses([payer!.address])
    const { transactionIds } = await engine.transactions.send({
      entries,
      outputs: [{ address: payee!.address, amount: 500_000_000n }],
      changeAddress: payer!.address,
      privateKeys: [payer!.privateKeyHex],
    })
    await devnode.mine(2)
    expect(devnode.expected.balances([payee!.address])).toMatchObject([{ mature: 100_500_000_000n }])
    expect(await engine.rest.getAddressBalance(payee!.address)).toMatchObject({ balanceExact: 100_500_000_000n })
    expect(await engine.rest.getTransaction(transactionIds.at(-1)!)).toMatchObject({ is_accepted: true })
  })

  it('reconnects after a drop, refused attempts and a restart', async () => {
    const devnode = openDevnode()
    const engine = openEngine(devnode)
    await engine.connection.connect()
    for (const interrupt of [
      () => devnode.faults.drop(),
      () => {
        devnode.faults.refuse({ how: 'reset', times: 2 })
        devnode.faults.drop({ how: 'reset' })
      },
      () => void devnode.restart({ downtime: 5 }),
    ]) {
      const next = reconnected(engine)
      interrupt()
      await next
    }
    expect(devnode.sockets()).toBe(1)
  })

  it('continues after a freeze with what the node had queued', async () => {
    const devnode = openDevnode()
    const engine = openEngine(devnode)
    const scores: bigint[] = []
    engine.virtualDaaScore$.subscribe((score) => scores.push(score))
    await engine.connection.connect()
    const freeze = devnode.faults.freeze()
    await devnode.mine(3)
    const info = engine.rpc.getBlockDagInfo()
    freeze.stop()
    expect((await info).virtualDaaScore).toBe(3n)
    await expect.poll(() => scores.at(-1)).toBe(3n)
  })

  it('uses a fork where the first node has stopped', async () => {
    const devnode = openDevnode()
    const fork = await devnode.fork()
    closing.push(() => fork.close())
    const engine = openEngine(devnode, { urls: [fork.urls.borsh] })
    await engine.connection.connect()
    const next = reconnected(engine)
    await devnode.close()
    await next
    expect(fork.connections()).toHaveLength(1)
  })

  it('reaches no other host', async () => {
    const devnode = openDevnode()
    const other = openDevnode()
    const engine = openEngine(devnode, { url: other.urls.borsh, reconnect: false })
    await expect(engine.connection.connect()).rejects.toMatchObject({ code: 'connect-failed' })
    await expect(devnode.engineOptions.rest.fetcher?.('https://api.kaspa.org/info/health')).rejects.toThrow(TypeError)
  })

  it('leaves no socket after dispose()', async () => {
    const devnode = openDevnode()
    const engine = openEngine(devnode)
    await engine.connection.connect()
    expect(devnode.sockets()).toBe(1)
    await engine.dispose()
    await expect.poll(() => devnode.sockets()).toBe(0)
  })
})

describe('the control endpoint of a devnode in memory', () => {
  it('drives it by HTTP', async () => {
    const devnode = openDevnode()
    const request = devnode.engineOptions.ports.platform.fetch
    const response = await request(`${devnode.urls.control}/mine`, { method: 'POST', body: '{"blocks":3}' })
    expect(response.status).toBe(200)
    expect(devnode.expected.chain()).toHaveLength(4)
  })
})
