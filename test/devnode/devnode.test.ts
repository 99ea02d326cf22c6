import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { createDevnode, type Devnode, type DevnodeOptions } from '../../src/devnode/index.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { createJsonCodec } from '../../src/wrpc/json/codec.js'
import { connect, type TcpTestClient } from '../contract/node/support/client.js'

const KAS = 100_000_000n

let opened: Devnode[] = []
afterEach(async () => {
  await Promise.all(opened.map((devnode) => devnode.close()))
  opened = []
})

const open = async (options: DevnodeOptions = {}): Promise<Devnode> => {
  const devnode = await createDevnode({ blockInterval: 0, ...options })
  opened.push(devnode)
  return devnode
}
async function borsh(devnode: Devnode): Promise<TcpTestClient> {
  const client = await connect(devnode.urls.borsh, createBorshCodec())
  onTestFinished(() => client.close())
  return client
}

describe('createDevnode', () => {
  it('starts within a second, several instances on separate ports', async () => {
    const start = process.cpuUsage() // CPU time: wall time would include other processes
    const [one, other] = [await open(), await open()]
    const { user, system } = process.cpuUsage(start)
    expect((user + system) / 2).toBeLessThan(1_000_000)
    const urls = [...Object.values(one.urls), ...Object.values(other.urls)]
    expect(new Set(urls).size).toBe(8)
    expect(one.urls.borsh).toMatch(/^ws:\/\/127\.0\.0\.1:\d+$/)
    expect(one.urls.control).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  })

  it('funds each account with several UTXOs', async () => {
    const devnode = await open({ accounts: 2, balance: 7n * KAS })
    for (const { address } of devnode.accounts) {
      const amounts = devnode.expected.utxos([address]).map(({ amount }) => amount)
      expect(amounts.reduce((sum, amount) => sum + amount, 0n)).toBe(7n * KAS)
      expect(amounts).toHaveLength(10)
    }
  })

  it('mines on demand: one step, many steps, parallel blocks', async () => {
    const devnode = await open()
    expect(await devnode.mine()).toHaveLength(1)
    expect(await devnode.mine(20)).toHaveLength(20)
    expect(await devnode.mine(2, { parallel: 3 })).toHaveLength(6)
    expect(devnode.expected.chain()).toHaveLength(1 + 1 + 20 + 2)
  })

  it('mines at the block interval', async () => {
    const devnode = await open({ blockInterval: 1 })
    const client = await borsh(devnode)
    await client.subscribe({ type: 'block-added' })
    await client.waitFor('block-added', () => client.notifications.length >= 3)
  })

  it('funds an address with a mature or a coinbase output', async () => {
    const devnode = await open()
    const address = devnode.accounts[0]!.address
    const before = devnode.expected.utxos([address]).length
    const id = await devnode.fund(address, 5n * KAS)
    await devnode.fund(address, 3n * KAS, { coinbase: true })
    const added = devnode.expected.utxos([address]).slice(before)
    expect(added.map(({ amount, isCoinbase }) => [amount, isCoinbase])).toEqual(
      expect.arrayContaining([
        [5n * KAS, false],
        [3n * KAS, true],
      ]),
    )
    expect(added.some(({ outpoint }) => outpoint.transactionId === id)).toBe(true)
  })

  it('notifies clients of a reorg with the expected chain', async () => {
    const devnode = await open()
    await devnode.mine(5)
    const client = await borsh(devnode)
    await client.subscribe({ type: 'virtual-chain-changed', includeAcceptedTransactionIds: true })
    const { removed, added } = await devnode.reorg({ depth: 3 })
    const { data } = await client.waitFor('virtual-chain-changed', (one) => one.data.removedChainBlockHashes.length > 0)
    expect([data.removedChainBlockHashes, removed.length, added.length]).toEqual([removed, 3, 4])
    expect(devnode.expected.chain().slice(-4)).toEqual(added)
  })

  it('reverts to a snapshot and notifies clients as of a reorg', async () => {
    const devnode = await open()
    const [sink] = await devnode.mine()
    const client = await borsh(devnode)
    await client.subscribe({ type: 'virtual-chain-changed', includeAcceptedTransactionIds: true })
    const id = devnode.snapshot()
    const mined = await devnode.mine(2)
    devnode.revert(id)
    const { data } = await client.waitFor('virtual-chain-changed', (one) => one.data.removedChainBlockHashes.length > 0)
    expect([...data.removedChainBlockHashes].reverse()).toEqual(mined)
    expect((await client.call('getSink', {})).sink).toBe(sink)
  })

  it('is deterministic for the same steps and clock', async () => {
    const now = () => 1_800_000_000_000
    const [one, other] = [await open({ now }), await open({ now })]
    for (const devnode of [one, other]) {
      await devnode.mine(3)
      await devnode.fund(devnode.accounts[0]!.address, KAS)
      await devnode.reorg({ depth: 2 })
    }
    expect(one.expected.chain()).toEqual(other.expected.chain())
    expect(one.expected.utxos()).toEqual(other.expected.utxos())
  })

  it('lists connections with their subscriptions', async () => {
    const devnode = await open()
    const [client, other] = [await borsh(devnode), await connect(devnode.urls.json, createJsonCodec())]
    const scope = { type: 'utxos-changed', addresses: [devnode.accounts[0]!.address] } as const
    await client.subscribe(scope)
    expect(devnode.connections()).toEqual([
      {
        id: 0n,
        encoding: 'Borsh',
        subscriptions: [scope],
        requests: [{ type: 'subscribe', scope }],
      },
      { id: 0n, encoding: 'SerdeJson', subscriptions: [], requests: [] },
    ])
    const ended = once(other.socket, 'close')
    client.close()
    other.close()
    await ended
    while (devnode.connections().length > 0) await new Promise((resolve) => setImmediate(resolve))
  })

  it('lists the subscription requests of each client in order', async () => {
    const devnode = await open()
    const client = await borsh(devnode)
    const scope = { type: 'block-added' } as const
    await client.subscribe(scope)
    await client.subscribe(scope)
    await client.unsubscribe(scope)
    const [{ subscriptions, requests } = { subscriptions: undefined, requests: [] }] = devnode.connections()
    expect(subscriptions).toEqual([])
    expect(requests.map(({ type }) => type)).toEqual(['subscribe', 'subscribe', 'unsubscribe'])
  })

  it('counts open sockets, including those without a handshake', async () => {
    const devnode = await open()
    devnode.faults.refuse({ how: 'hang' })
    const socket = new WebSocket(devnode.urls.borsh)
    socket.on('error', () => undefined) // the test terminates it before it opens
    while (devnode.sockets() === 0) await new Promise((resolve) => setImmediate(resolve))
    expect(devnode.connections()).toEqual([])
    socket.terminate()
    while (devnode.sockets() > 0) await new Promise((resolve) => setImmediate(resolve))
  })

  it('refuses connections during a restart', async () => {
    const devnode = await open()
    const restarted = devnode.restart({ downtime: 20 })
    const early = await borsh(devnode).catch((error: unknown) => error)
    expect(early).toMatchObject({ code: 'ECONNREFUSED' })
    await restarted
    ;(await borsh(devnode)).close()
  })

  it('reports the same identity over RPC and REST', async () => {
    const devnode = await open({ seed: 11 })
    const client = await borsh(devnode)
    const { p2pId } = await client.call('getInfo', {})
    const response = await fetch(`${devnode.urls.rest}/info/kaspad`)
    const p2pIdHashed = createHash('sha256').update(p2pId).digest('hex')
    expect(await response.json()).toMatchObject({ p2pIdHashed })
  })

  it('keeps the ledger but no clients across a restart', async () => {
    const devnode = await open()
    const client = await borsh(devnode)
    const [hash] = await devnode.mine()
    const ended = once(client.socket, 'close')
    await devnode.restart()
    await ended
    const again = await borsh(devnode)
    expect((await again.call('getSink', {})).sink).toBe(hash)
    expect(await again.subscribe({ type: 'block-added' })).toBe(0n)
    again.close()
  })

  it('close() during a restart ends the downtime', async () => {
    const devnode = await open()
    const restarted = devnode.restart({ downtime: 3_600_000 })
    while (
      await borsh(devnode).then(
        (client) => (client.close(), true),
        () => false,
      )
    )
      continue
    await devnode.close()
    await restarted
    await expect(borsh(devnode)).rejects.toThrow('ECONNREFUSED')
  })

  it('drops its clients on close(), which may be called twice', async () => {
    const devnode = await open()
    const client = await borsh(devnode)
    const ended = once(client.socket, 'close')
    await Promise.all([devnode.close(), devnode.close()])
    expect((await ended)[0]).toBe(1006)
  })

  it.each(['borshPort', 'jsonPort', 'restPort', 'controlPort'] as const)(
    'rejects with the option of a port in use: %s',
    async (option) => {
      const blocker = createServer().listen(0, '127.0.0.1')
      await once(blocker, 'listening')
      const { port } = blocker.address() as AddressInfo
      await expect(createDevnode({ [option]: port })).rejects.toThrow(
        expect.objectContaining({
          message: `Port ${port} is already in use`,
          code: 'invalid-option',
          argument: option,
        }),
      )
      blocker.close()
    },
  )

  it('rejects a host that is not an address of this machine', async () => {
    await expect(createDevnode({ host: '192.0.2.7' })).rejects.toThrow(
      expect.objectContaining({ code: 'invalid-option', argument: 'host' }),
    )
  })

  it.each([
    ['https://evil.test', 403],
    ['http://localhost:5173', undefined],
  ])('checks the origin %s at its RPC ports: refused with %s', async (origin, status) => {
    const devnode = await open()
    const socket = new WebSocket(devnode.urls.borsh, { origin })
    const outcome = await Promise.race([
      once(socket, 'open').then(() => undefined),
      once(socket, 'error').then(([error]) => (error as Error).message),
    ]).catch((error: unknown) => (error as Error).message)
    expect(outcome).toBe(status === undefined ? undefined : `Unexpected server response: ${status}`)
    socket.terminate()
  })

  it('rejects invalid arguments', async () => {
    const devnode = await open()
    await expect(devnode.mine(-1)).rejects.toThrow(
      expect.objectContaining({ code: 'invalid-argument', argument: 'count' }),
    )
    for (const parallel of [0, -1, NaN])
      // no block is mined, and a test of what it brings may pass
      await expect(devnode.mine(1, { parallel })).rejects.toThrow(expect.objectContaining({ argument: 'parallel' }))
    const mainnet = 'kaspa:qqd6e65yefepe9wk0m9vuxdufxd80sphy67gwwd0vdaumzdt4tc9s3qt0lqeh'
    await expect(devnode.fund(mainnet, KAS)).rejects.toThrow(expect.objectContaining({ argument: 'address' }))
    expect(() => devnode.revert(99)).toThrow(expect.objectContaining({ name: 'ChainError' }))
  })
})
