import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createDevnode, type Devnode } from '../../../src/devnode/index.js'
import type { NotificationScope } from '../../../src/node/messages/records.js'
import { createBorshCodec } from '../../../src/wrpc/borsh/codec.js'
import { createJsonCodec } from '../../../src/wrpc/json/codec.js'
import { connect, type TestClient } from '../../contract/node/support/client.js'

const BLOCKS: NotificationScope = { type: 'block-added' }
const SCORES: NotificationScope = { type: 'virtual-daa-score-changed' }

let devnode: Devnode
let client: TestClient

beforeEach(async () => {
  devnode = await createDevnode({ blockInterval: 0, accounts: 2, seed: 3 })
  client = await connect(devnode.urls.borsh, createBorshCodec())
})
afterEach(async () => {
  client.close()
  await devnode.close()
})

const closed = async (socket: WebSocket): Promise<number> => ((await once(socket, 'close')) as [number])[0]
/** How opening a socket ends: `open`, or the error's message. */
const dial = async (url: string): Promise<string> => {
  const socket = new WebSocket(url)
  const outcome = await Promise.race([
    once(socket, 'open').then(() => 'open'),
    once(socket, 'error').then(([error]) => (error as Error).message),
  ]).catch((error: unknown) => (error as Error).message)
  socket.terminate()
  return outcome
}

describe('a drop', () => {
  it.each([
    ['cut', 1006],
    ['reset', 1006],
    ['close', 1001],
  ] as const)('that is a %s ends the connection with %i, and lets the client come again', async (how, code) => {
    const ended = closed(client.socket)
    devnode.faults.drop({ how })
    expect(await ended).toBe(code)
    expect(devnode.faults.active()).toEqual([])
    expect(await dial(devnode.urls.borsh)).toBe('open')
  })

  it('takes both encodings', async () => {
    const other = await connect(devnode.urls.json, createJsonCodec())
    const ended = Promise.all([closed(client.socket), closed(other.socket)])
    devnode.faults.drop()
    await ended
    expect(devnode.connections()).toEqual([])
  })
})

describe('refusing', () => {
  it.each([
    ['reset', /ECONNRESET|socket hang up/],
    ['status', /Unexpected server response: 503/],
  ] as const)('by %s keeps new clients out and leaves the old ones alone', async (how, message) => {
    const fault = devnode.faults.refuse({ how })
    expect(await dial(devnode.urls.borsh)).toMatch(message)
    expect(fault.strikes).toBe(1)
    await client.call('ping', {})
    fault.stop()
    expect(await dial(devnode.urls.borsh)).toBe('open')
  })

  it('by closing opens the WebSocket and cuts it at once', async () => {
    devnode.faults.refuse({ how: 'close' })
    expect(await closed(new WebSocket(devnode.urls.borsh))).toBe(1006)
  })

  it('by silence never answers the handshake', async () => {
    devnode.faults.refuse({ how: 'silence' })
    const socket = new WebSocket(devnode.urls.borsh, { handshakeTimeout: 50 })
    const [error] = (await once(socket, 'error')) as [Error]
    expect(error.message).toBe('Opening handshake has timed out')
  })
})

describe('a frozen node', () => {
  it('answers nothing, not even pings, until it thaws; then it goes on where it stood', async () => {
    await client.subscribe(BLOCKS)
    const fault = devnode.faults.freeze()
    let pongs = 0
    client.socket.on('pong', () => (pongs += 1))
    client.socket.ping()
    const answer = client.call('ping', {})
    const late = connect(devnode.urls.borsh, createBorshCodec())
    await devnode.mine()
    const other = await createDevnode({ blockInterval: 0, accounts: 0 })
    expect(await dial(other.urls.borsh)).toBe('open') // a round trip of the same event loop, elsewhere
    await other.close()
    expect([client.heard.length, pongs]).toEqual([0, 0])

    fault.stop()
    await answer
    await client.hear('block-added')
    const newcomer = await late
    await newcomer.call('ping', {})
    newcomer.close()
  })
})

describe('a frozen node that opens its door', () => {
  it('finishes handshakes and says nothing more until it thaws', async () => {
    const fault = devnode.faults.freeze({ arrivals: 'open' })
    const newcomer = await connect(devnode.urls.borsh, createBorshCodec())
    let isAnswered = false
    const answer = newcomer.call('ping', {}).then(() => (isAnswered = true))
    expect(await dial(devnode.urls.borsh)).toBe('open')
    expect(isAnswered).toBe(false)
    fault.stop()
    await answer
    newcomer.close()
  })
})

describe('two freezes', () => {
  it('thaw with the later one', async () => {
    const [first, second] = [devnode.faults.freeze(), devnode.faults.freeze()]
    let isAnswered = false
    const answer = client.call('ping', {}).then(() => (isAnswered = true))
    first.stop()
    expect(await dial(devnode.urls.rest.replace('http', 'ws'))).toContain('Unexpected server response') // a round trip elsewhere
    expect(isAnswered).toBe(false)
    second.stop()
    await answer
  })
})

describe('a line', () => {
  it('that is slow delivers everything later, and in order', async () => {
    await client.subscribe(BLOCKS)
    const fault = devnode.faults.delay({ ms: 20, jitter: 20 })
    const start = performance.now()
    await devnode.mine(3)
    const answered = client.call('ping', {}).then(() => client.heard.length)
    expect(await answered).toBe(3)
    expect(performance.now() - start).toBeGreaterThanOrEqual(19)
    expect(fault.strikes).toBe(4)
  })

  it('that drips delivers a large message whole, in its own time', async () => {
    await devnode.mine(200)
    devnode.faults.drip({ bytesPerSecond: 100_000, above: 2_000 })
    const start = performance.now()
    const { blockHashes } = await client.call('getBlocks', { includeBlocks: false, includeTransactions: false })
    expect(blockHashes.length).toBe(201)
    expect(performance.now() - start).toBeGreaterThanOrEqual(50) // 6,400 bytes and more
  })
})

describe('an answer', () => {
  it('that is lost leaves the work done', async () => {
    devnode.faults.loseReply({ method: 'subscribe' })
    const lost = client.call('subscribe', { scope: SCORES })
    await client.call('ping', {})
    expect(devnode.connections()[0]?.subscriptions).toEqual([SCORES])
    expect(devnode.faults.active()).toEqual([])
    const ended = expect(lost).rejects.toThrow('The connection ended')
    devnode.faults.drop()
    await ended
  })

  it('that is overtaken comes after the next ones', async () => {
    devnode.faults.overtake({ ms: 10 })
    const order: string[] = []
    await Promise.all([
      client.call('getSink', {}).then(() => order.push('held')),
      client.call('ping', {}).then(() => order.push('next')),
    ])
    expect(order).toEqual(['next', 'held'])
  })

  it('is a refusal, at the n-th call of a method', async () => {
    devnode.faults.failCall({ method: 'getSink', nth: 2, message: 'Not today' })
    await client.call('getSink', {})
    await client.call('ping', {})
    expect(await client.refusal('getSink', {})).toBe('Not today')
    await client.call('getSink', {})
  })

  it.each(['cut', 'garbage'] as const)('that is malformed (%s) is one message only', async (how) => {
    const broken = new Promise<Uint8Array>((resolve) => client.socket.once('message', (data: Buffer) => resolve(data)))
    devnode.faults.malform({ how, of: 'answer' })
    client.call('getSink', {}).catch(() => undefined) // its answer cannot be read: it ends with the connection
    const codec = createBorshCodec()
    expect(codec.decodeMessage(Uint8Array.from(await broken)).kind).toBe('malformed')
    await client.call('getSink', {})
  })
})

describe('a subscription', () => {
  it('is cut off in the middle of placing them', async () => {
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
  it('come twice', async () => {
    await client.subscribe(BLOCKS)
    const fault = devnode.faults.duplicate()
    await devnode.mine()
    await client.call('ping', {})
    expect(client.heard.map(({ type }) => type)).toEqual(['block-added', 'block-added'])
    fault.stop()
    await devnode.mine()
    await client.call('ping', {})
    expect(client.heard).toHaveLength(3)
  })

  it('come in another order, the same ones', async () => {
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
    const usual = client.heard.map(({ type }) => type)
    devnode.faults.reorder()
    const orders = new Set<string>()
    for (let block = 0; block < 10; block++) {
      const from = client.heard.length
      await devnode.mine()
      await client.call('ping', {})
      const order = client.heard.slice(from).map(({ type }) => type)
      expect([...order].sort()).toEqual([...usual].sort())
      orders.add(order.join())
    }
    expect(orders.size).toBeGreaterThan(1)
  })
})

describe('a node that says the wrong thing', () => {
  it('serves another network', async () => {
    const fault = devnode.faults.wrongNetwork({ network: 'testnet-10' })
    expect((await client.call('getServerInfo', {})).networkId).toBe('testnet-10')
    expect((await client.call('getBlockDagInfo', {})).network).toBe('testnet-10')
    expect((await client.call('getCurrentNetwork', {})).network).toBe('testnet')
    fault.stop()
    expect((await client.call('getServerInfo', {})).networkId).toBe('simnet')
  })

  it('has no UTXO index: says so, refuses, and keeps silent', async () => {
    await client.subscribe({ type: 'utxos-changed', addresses: [] })
    devnode.faults.noUtxoIndex()
    expect(await client.call('getServerInfo', {})).toMatchObject({ hasUtxoIndex: false })
    expect(await client.call('getInfo', {})).toMatchObject({ isUtxoIndexed: false })
    expect(await client.refusal('getCoinSupply', {})).toBe(
      'Method unavailable. Run the node with the --utxoindex argument.',
    )
    await devnode.fund(devnode.accounts[0]!.address, 100_000_000n)
    await client.call('ping', {})
    expect(client.heard).toEqual([])
  })

  it('is not in sync', async () => {
    devnode.faults.notSynced()
    expect(await client.call('getSyncStatus', {})).toEqual({ isSynced: false })
    expect(await client.call('getServerInfo', {})).toMatchObject({ isSynced: false })
  })

  it('takes no blocks while it is not in sync, in the words of a real node', async () => {
    const fault = devnode.faults.notSynced()
    const payAddress = devnode.accounts[0]!.address
    const { block, isSynced } = await client.call('getBlockTemplate', { payAddress, extraData: '' })
    expect(isSynced).toBe(false)
    const submitted = () => client.call('submitBlock', { block, allowNonDaaBlocks: false })
    expect(await submitted()).toEqual({ report: { type: 'reject', reason: 'isInIBD' } })
    expect(devnode.truth.chain()).toHaveLength(1)
    fault.stop()
    expect(await submitted()).toEqual({ report: { type: 'success' } })
    expect(devnode.truth.chain()).toHaveLength(2)
  })
})

describe('a stuck network', () => {
  it('mines nothing by itself until it is freed', async () => {
    const alive = await createDevnode({ blockInterval: 1, accounts: 0 })
    const listener = await connect(alive.urls.borsh, createBorshCodec())
    await listener.subscribe(SCORES)
    await listener.hear('virtual-daa-score-changed')
    const fault = alive.faults.stuck()
    await listener.call('ping', {})
    const score = alive.truth.virtualDaaScore()
    const from = listener.heard.length
    for (let turn = 0; turn < 50; turn++) await listener.call('ping', {})
    expect(alive.truth.virtualDaaScore()).toBe(score)
    fault.stop()
    await listener.hear('virtual-daa-score-changed', () => true, from)
    listener.close()
    await alive.close()
  })
})

describe('a failing REST side', () => {
  it.each([
    [{ status: 429, retryAfter: 3 }, 'application/json', '{"detail":"Injected failure 429"}', '3'],
    [{ status: 503, body: 'html' }, 'text/html', '<html><body><h1>Injected failure 503</h1></body></html>', null],
    [{ status: 500, body: 'empty' }, null, '', null],
  ] as const)('answers %j', async (settings, type, body, retryAfter) => {
    devnode.faults.failRest({ ...settings, times: 1 })
    const response = await fetch(`${devnode.urls.rest}/info/health`)
    expect(response.status).toBe(settings.status)
    expect([response.headers.get('content-type'), response.headers.get('retry-after')]).toEqual([type, retryAfter])
    expect(await response.text()).toBe(body)
    expect(devnode.faults.active()).toEqual([])
  })
})

describe('faults', () => {
  it('end by their time', async () => {
    devnode.faults.loseReply({ for: 5 })
    while (devnode.faults.active().length > 0) await new Promise((resolve) => setImmediate(resolve))
    await client.call('ping', {})
  })

  it('act together', async () => {
    await client.subscribe(BLOCKS)
    devnode.faults.duplicate()
    devnode.faults.delay({ ms: 5 })
    await devnode.mine()
    await client.call('ping', {})
    expect(client.heard).toHaveLength(2)
    expect(devnode.faults.active().map(({ name }) => name)).toEqual(['duplicate', 'delay'])
    devnode.faults.clear()
    expect(devnode.faults.active()).toEqual([])
  })

  it('are played at random by seed, until they are cleared', async () => {
    const player = devnode.faults.random(7, 1_000)
    while (player.played.length < 5) await new Promise((resolve) => setImmediate(resolve))
    devnode.faults.clear()
    expect(devnode.faults.active()).toEqual([])
    expect(await dial(devnode.urls.borsh)).toBe('open')
  })
})
