import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createDevnode } from '../../../src/devnode/index.js'
import type { NotificationScope } from '../../../src/node/messages/records.js'
import { createBorshCodec } from '../../../src/wrpc/borsh/codec.js'
import { createJsonCodec } from '../../../src/wrpc/json/codec.js'
import { eachTest } from '../../lifetimes.js'
import { connect } from '../../contract/node/support/client.js'

const BLOCKS: NotificationScope = { type: 'block-added' }
const SCORES: NotificationScope = { type: 'virtual-daa-score-changed' }

const devnode = eachTest(() => createDevnode({ blockInterval: 0, accounts: 2, seed: 3 }))
const client = eachTest(() => connect(devnode.urls.borsh, createBorshCodec()))

const closed = async (socket: WebSocket): Promise<number> => ((await once(socket, 'close')) as [number])[0]
/** The outcome of opening a socket: `open`, or the error's message. */
const dial = async (url: string): Promise<string> => {
  const socket = new WebSocket(url)
  const outcome = await Promise.race([
    once(socket, 'open').then(() => 'open'),
    once(socket, 'error').then(([error]) => (error as Error).message),
  ]).catch((error: unknown) => (error as Error).message)
  socket.terminate()
  return outcome
}

describe('drop', () => {
  it.each([
    ['cut', 1006],
    ['reset', 1006],
    ['close', 1001],
  ] as const)('by %s ends the connection with %i and accepts a new one', async (how, code) => {
    const ended = closed(client.socket)
    devnode.faults.drop({ how })
    expect(await ended).toBe(code)
    expect(devnode.faults.active()).toEqual([])
    expect(await dial(devnode.urls.borsh)).toBe('open')
  })

  it('drops connections of both encodings', async () => {
    const other = await connect(devnode.urls.json, createJsonCodec())
    const ended = Promise.all([closed(client.socket), closed(other.socket)])
    devnode.faults.drop()
    await ended
    expect(devnode.connections()).toEqual([])
  })
})

describe('refuse', () => {
  it.each([
    ['reset', /ECONNRESET|socket hang up/],
    ['status', /Unexpected server response: 503/],
  ] as const)('by %s refuses new connections and keeps open ones', async (how, message) => {
    const fault = devnode.faults.refuse({ how })
    expect(await dial(devnode.urls.borsh)).toMatch(message)
    expect(fault.triggered).toBe(1)
    await client.call('ping', {})
    fault.stop()
    expect(await dial(devnode.urls.borsh)).toBe('open')
  })

  it('by close opens the WebSocket and cuts it', async () => {
    devnode.faults.refuse({ how: 'close' })
    expect(await closed(new WebSocket(devnode.urls.borsh))).toBe(1006)
  })

  it('by hang does not respond to the handshake', async () => {
    devnode.faults.refuse({ how: 'hang' })
    const socket = new WebSocket(devnode.urls.borsh, { handshakeTimeout: 50 })
    const [error] = (await once(socket, 'error')) as [Error]
    expect(error.message).toBe('Opening handshake has timed out')
  })
})

describe('freeze', () => {
  it('sends nothing, not even pongs, until it ends; then continues', async () => {
    await client.subscribe(BLOCKS)
    const fault = devnode.faults.freeze()
    let pongs = 0
    client.socket.on('pong', () => (pongs += 1))
    client.socket.ping()
    const reply = client.call('ping', {})
    const waiting = connect(devnode.urls.borsh, createBorshCodec())
    await devnode.mine()
    const other = await createDevnode({ blockInterval: 0, accounts: 0 })
    expect(await dial(other.urls.borsh)).toBe('open') // a round trip of the same event loop with another devnode
    await other.close()
    expect([client.notifications.length, pongs]).toEqual([0, 0])

    fault.stop()
    await reply
    await client.waitFor('block-added')
    const newClient = await waiting
    await newClient.call('ping', {})
    newClient.close()
  })
})

describe('freeze with open handshakes', () => {
  it('completes handshakes and sends nothing more until it ends', async () => {
    const fault = devnode.faults.freeze({ handshakes: 'open' })
    const newClient = await connect(devnode.urls.borsh, createBorshCodec())
    let isReplied = false
    const reply = newClient.call('ping', {}).then(() => (isReplied = true))
    expect(await dial(devnode.urls.borsh)).toBe('open')
    expect(isReplied).toBe(false)
    fault.stop()
    await reply
    newClient.close()
  })
})

describe('two freezes', () => {
  it('end with the later one', async () => {
    const [first, second] = [devnode.faults.freeze(), devnode.faults.freeze()]
    let isReplied = false
    const reply = client.call('ping', {}).then(() => (isReplied = true))
    first.stop()
    // a round trip with another server
    expect(await dial(devnode.urls.rest.replace('http', 'ws'))).toContain('Unexpected server response')
    expect(isReplied).toBe(false)
    second.stop()
    await reply
  })
})

describe('delay and throttle', () => {
  it('delay sends every message later and in order', async () => {
    await client.subscribe(BLOCKS)
    const fault = devnode.faults.delay({ ms: 20, jitter: 20 })
    const start = performance.now()
    await devnode.mine(3)
    const received = client.call('ping', {}).then(() => client.notifications.length)
    expect(await received).toBe(3)
    expect(performance.now() - start).toBeGreaterThanOrEqual(19)
    expect(fault.triggered).toBe(4)
  })

  it('throttle sends a large message slowly and completely', async () => {
    await devnode.mine(200)
    devnode.faults.throttle({ bytesPerSecond: 100_000, above: 2_000 })
    const start = performance.now()
    const { blockHashes } = await client.call('getBlocks', { includeBlocks: false, includeTransactions: false })
    expect(blockHashes.length).toBe(201)
    expect(performance.now() - start).toBeGreaterThanOrEqual(50) // 6,400 bytes and more
  })
})

describe('a reply', () => {
  it('is dropped after the call was executed', async () => {
    devnode.faults.dropReply({ method: 'subscribe' })
    const dropped = client.call('subscribe', { scope: SCORES })
    await client.call('ping', {})
    expect(devnode.connections()[0]?.subscriptions).toEqual([SCORES])
    expect(devnode.faults.active()).toEqual([])
    const ended = expect(dropped).rejects.toThrow('The connection ended')
    devnode.faults.drop()
    await ended
  })

  it('is delayed until after the next ones', async () => {
    devnode.faults.reorderReplies({ ms: 10 })
    const order: string[] = []
    await Promise.all([
      client.call('getSink', {}).then(() => order.push('delayed')),
      client.call('ping', {}).then(() => order.push('next')),
    ])
    expect(order).toEqual(['next', 'delayed'])
  })

  it('is an error at the n-th call of a method', async () => {
    devnode.faults.failCall({ method: 'getSink', nth: 2, message: 'Not today' })
    await client.call('getSink', {})
    await client.call('ping', {})
    expect(await client.rejection('getSink', {})).toBe('Not today')
    await client.call('getSink', {})
  })

  it.each(['cut', 'garbage'] as const)('is corrupted once (%s)', async (how) => {
    const broken = new Promise<Uint8Array>((resolve) => client.socket.once('message', (data: Buffer) => resolve(data)))
    devnode.faults.corrupt({ how, of: 'reply' })
    // its reply cannot be decoded: it rejects when the connection ends
    client.call('getSink', {}).catch(() => undefined)
    const codec = createBorshCodec()
    expect(codec.decodeMessage(Uint8Array.from(await broken)).kind).toBe('malformed')
    await client.call('getSink', {})
  })
})

describe('breakSubscribing', () => {
  it('cuts the connection between two subscriptions', async () => {
    devnode.faults.breakSubscribing({ after: 1 })
    await client.subscribe(BLOCKS)
    await expect(client.subscribe(SCORES)).rejects.toThrow('The connection ended during subscribe')
    const again = await connect(devnode.urls.borsh, createBorshCodec())
    await again.subscribe(BLOCKS)
    await again.subscribe(SCORES)
    again.close()
  })
})

describe('notifications', () => {
  it('are duplicated', async () => {
    await client.subscribe(BLOCKS)
    const fault = devnode.faults.duplicate()
    await devnode.mine()
    await client.call('ping', {})
    expect(client.notifications.map(({ type }) => type)).toEqual(['block-added', 'block-added'])
    fault.stop()
    await devnode.mine()
    await client.call('ping', {})
    expect(client.notifications).toHaveLength(3)
  })

  it('are reordered without loss', async () => {
    const scopes: readonly NotificationScope[] = [
      BLOCKS,
      SCORES,
      { type: 'sink-blue-score-changed' },
      { type: 'new-block-template' },
      { type: 'virtual-chain-changed', includeAcceptedTransactionIds: true },
    ]
    for (const scope of scopes) await client.subscribe(scope)
    await devnode.mine()
    await client.call('ping', {})
    const usual = client.notifications.map(({ type }) => type)
    devnode.faults.reorder()
    const orders = new Set<string>()
    for (let block = 0; block < 10; block++) {
      const from = client.notifications.length
      await devnode.mine()
      await client.call('ping', {})
      const order = client.notifications.slice(from).map(({ type }) => type)
      expect([...order].sort()).toEqual([...usual].sort())
      orders.add(order.join())
    }
    expect(orders.size).toBeGreaterThan(1)
  })
})

describe('a node with false responses', () => {
  it('reports another network', async () => {
    const fault = devnode.faults.wrongNetwork({ network: 'testnet-10' })
    expect((await client.call('getServerInfo', {})).networkId).toBe('testnet-10')
    expect((await client.call('getBlockDagInfo', {})).network).toBe('testnet-10')
    expect((await client.call('getCurrentNetwork', {})).network).toBe('testnet')
    fault.stop()
    expect((await client.call('getServerInfo', {})).networkId).toBe('simnet')
  })

  it('reports no UTXO index, fails its methods, sends no UTXO changes', async () => {
    await client.subscribe({ type: 'utxos-changed', addresses: [] })
    devnode.faults.noUtxoIndex()
    expect(await client.call('getServerInfo', {})).toMatchObject({ hasUtxoIndex: false })
    expect(await client.call('getInfo', {})).toMatchObject({ isUtxoIndexed: false })
    expect(await client.rejection('getCoinSupply', {})).toBe(
      'Method unavailable. Run the node with the --utxoindex argument.',
    )
    await devnode.fund(devnode.accounts[0]!.address, 100_000_000n)
    await client.call('ping', {})
    expect(client.notifications).toEqual([])
  })

  it('reports that it is not synced', async () => {
    devnode.faults.notSynced()
    expect(await client.call('getSyncStatus', {})).toEqual({ isSynced: false })
    expect(await client.call('getServerInfo', {})).toMatchObject({ isSynced: false })
  })

  it('rejects blocks while it is not synced, as a real node', async () => {
    const fault = devnode.faults.notSynced()
    const payAddress = devnode.accounts[0]!.address
    const { block, isSynced } = await client.call('getBlockTemplate', { payAddress, extraData: '' })
    expect(isSynced).toBe(false)
    const submitted = () => client.call('submitBlock', { block, allowNonDaaBlocks: false })
    expect(await submitted()).toEqual({ report: { type: 'reject', reason: 'isInIBD' } })
    expect(devnode.expected.chain()).toHaveLength(1)
    fault.stop()
    expect(await submitted()).toEqual({ report: { type: 'success' } })
    expect(devnode.expected.chain()).toHaveLength(2)
  })
})

describe('stall', () => {
  it('stops interval mining until it ends', async () => {
    const other = await createDevnode({ blockInterval: 1, accounts: 0 })
    const subscriber = await connect(other.urls.borsh, createBorshCodec())
    await subscriber.subscribe(SCORES)
    await subscriber.waitFor('virtual-daa-score-changed')
    const fault = other.faults.stall()
    await subscriber.call('ping', {})
    const score = other.expected.virtualDaaScore()
    const from = subscriber.notifications.length
    for (let turn = 0; turn < 50; turn++) await subscriber.call('ping', {})
    expect(other.expected.virtualDaaScore()).toBe(score)
    fault.stop()
    await subscriber.waitFor('virtual-daa-score-changed', () => true, from)
    subscriber.close()
    await other.close()
  })
})

describe('failRest', () => {
  it.each([
    [{ status: 429, retryAfter: 3 }, 'application/json', '{"detail":"Injected failure 429"}', '3'],
    [{ status: 503, body: 'html' }, 'text/html', '<html><body><h1>Injected failure 503</h1></body></html>', null],
    [{ status: 500, body: 'empty' }, null, '', null],
  ] as const)('responds to %j', async (settings, type, body, retryAfter) => {
    devnode.faults.failRest({ ...settings, times: 1 })
    const response = await fetch(`${devnode.urls.rest}/info/health`)
    expect(response.status).toBe(settings.status)
    expect([response.headers.get('content-type'), response.headers.get('retry-after')]).toEqual([type, retryAfter])
    expect(await response.text()).toBe(body)
    expect(devnode.faults.active()).toEqual([])
  })
})

describe('faults', () => {
  it('end after `for` ms', async () => {
    devnode.faults.dropReply({ for: 5 })
    while (devnode.faults.active().length > 0) await new Promise((resolve) => setImmediate(resolve))
    await client.call('ping', {})
  })

  it('combine', async () => {
    await client.subscribe(BLOCKS)
    devnode.faults.duplicate()
    devnode.faults.delay({ ms: 5 })
    await devnode.mine()
    await client.call('ping', {})
    expect(client.notifications).toHaveLength(2)
    expect(devnode.faults.active().map(({ name }) => name)).toEqual(['duplicate', 'delay'])
    devnode.faults.clear()
    expect(devnode.faults.active()).toEqual([])
  })

  it('are played at random until they are cleared', async () => {
    const player = devnode.faults.random(7, 1_000)
    while (player.played.length < 5) await new Promise((resolve) => setImmediate(resolve))
    devnode.faults.clear()
    expect(devnode.faults.active()).toEqual([])
    expect(await dial(devnode.urls.borsh)).toBe('open')
  })
})
