import { once } from 'node:events'
import { NEVER, config, firstValueFrom, lastValueFrom, toArray, type Observable } from 'rxjs'
import { afterEach, describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../src/errors/rpc-error.js'
import type { RpcEncoding } from '../../src/model/network.js'
import type { NodeNotification } from '../../src/node/messages/records.js'
import type { NodeConnection } from '../../src/node/port.js'
import { createServerPlatform } from '../../src/platform/server.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { createNodePort } from '../../src/wrpc/client.js'
import { serverError, textError } from '../../src/wrpc/wire-error.js'
import { startScriptedNode, type Script, type ScriptedNode } from './scripted-node.js'

const HASH = 'ab'.repeat(32)
const score = (virtualDaaScore: bigint): NodeNotification => ({
  type: 'virtual-daa-score-changed',
  data: { virtualDaaScore },
})

let node: ScriptedNode | undefined
afterEach(async () => {
  await node?.close()
  node = undefined
})

const port = createNodePort(createServerPlatform())

async function connect(encoding: RpcEncoding, script: Script): Promise<NodeConnection> {
  node = await startScriptedNode(encoding, script)
  return firstValueFrom(port.dial({ url: node.url, encoding }))
}

/** The node's end of the one connection. */
function client(): { send(data: string | Uint8Array): void; terminate(): void; close(code?: number): void } {
  const [socket] = node?.clients ?? []
  if (socket === undefined) throw new Error('Nobody is connected')
  return socket
}

/** What a stream errors with. */
const failure = (source$: Observable<unknown>): Promise<unknown> =>
  lastValueFrom(source$).catch((error: unknown) => error)

describe.each<RpcEncoding>(['Borsh', 'SerdeJson'])('a connection to a node, in %s', (encoding) => {
  it('asks and is answered', async () => {
    const connection = await connect(encoding, ({ id }, _, codec) =>
      codec.encodeResponse(id, 'getSink', { sink: HASH }),
    )
    expect(await firstValueFrom(connection.call('getSink', {}))).toEqual({ sink: HASH })
    connection.close()
  })

  it('matches answers to questions by their ids, whatever their order', async () => {
    const held: bigint[] = []
    const connection = await connect(encoding, (request, socket, codec) => {
      if (request.method !== 'getDaaScoreTimestampEstimate') return undefined
      held.push(request.id)
      if (held.length === 3) {
        for (const id of held.reverse()) socket.send(codec.encodeResponse(id, request.method, { timestamps: [id] }))
      }
      return undefined
    })
    const ask = (): Promise<{ timestamps: readonly bigint[] }> =>
      firstValueFrom(connection.call('getDaaScoreTimestampEstimate', { daaScores: [] }))
    const answers = await Promise.all([ask(), ask(), ask()])
    expect(answers.map(({ timestamps }) => timestamps[0])).toEqual([1n, 2n, 3n])
    connection.close()
  })

  it('sends nothing before it is subscribed to, and once a subscription', async () => {
    const ids: bigint[] = []
    const connection = await connect(encoding, ({ id }, _, codec) => {
      ids.push(id)
      return codec.encodeResponse(id, 'ping', {})
    })
    const ping$ = connection.call('ping', {})
    expect(ids).toEqual([])
    await lastValueFrom(ping$)
    await lastValueFrom(ping$)
    expect(ids).toEqual([1n, 2n])
    connection.close()
  })

  it('tells a refusal in the words of the node', async () => {
    const connection = await connect(encoding, ({ id, method }, _, codec) =>
      codec.encodeError(id, method, textError(`cannot find header ${HASH}`)),
    )
    const error = await failure(connection.call('getBlock', { hash: HASH, includeTransactions: false }))
    expect(error).toBeInstanceOf(ChainRpcError)
    expect(error).toMatchObject({
      method: 'getBlock',
      code: 'remote',
      cause: { message: `cannot find header ${HASH}` },
    })
    connection.close()
  })

  it('tells a method that is not served from one that refuses', async () => {
    const connection = await connect(encoding, ({ id, method }, _, codec) =>
      codec.encodeError(id, method, serverError('not-found')),
    )
    expect(await failure(connection.call('getMetrics', metrics))).toMatchObject({ code: 'unsupported' })
    connection.close()
  })

  it('refuses a request that has no place on the wire, and sends nothing', async () => {
    let asked = 0
    const connection = await connect(encoding, () => {
      asked++
      return undefined
    })
    const error = await failure(connection.call('getBlock', { hash: 'ab', includeTransactions: true }))
    expect(error).toMatchObject({ method: 'getBlock', code: 'invalid-argument', argument: 'hash' })
    expect(asked).toBe(0)
    connection.close()
  })

  it('tells every notification once and in order, then ends with the socket', async () => {
    const connection = await connect(encoding, () => undefined)
    const told = lastValueFrom(connection.notifications$.pipe(toArray()))
    for (const daaScore of [1n, 2n, 3n]) client().send(node?.codec.encodeNotification(score(daaScore)) ?? '')
    client().close(1000)
    expect(await told).toEqual([score(1n), score(2n), score(3n)])
    expect(await firstValueFrom(connection.closed$)).toMatchObject({ code: 1000 })
  })

  it('fails the call whose answer cannot be read, and lives on', async () => {
    const connection = await connect(encoding, ({ id, method }, _, codec) => {
      if (method === 'ping') return codec.encodeResponse(id, 'ping', {})
      const good = codec.encodeResponse(id, 'getSink', { sink: HASH })
      return typeof good === 'string' ? good.replace('abab', 'zzzz') : good.slice(0, -5)
    })
    expect(await failure(connection.call('getSink', {}))).toMatchObject({ method: 'getSink', code: 'malformed' })
    expect(await firstValueFrom(connection.call('ping', {}))).toEqual({})
    connection.close()
  })

  it('says that a notification is missing when one cannot be read', async () => {
    const connection = await connect(encoding, () => undefined)
    const malformed = firstValueFrom<unknown>(connection.malformed$ ?? NEVER)
    const good = node?.codec.encodeNotification(score(1n)) ?? ''
    client().send(typeof good === 'string' ? good.replace(':1}', ':-1}') : good.slice(0, -2))
    expect(await malformed).toMatchObject({ code: 'malformed', method: 'virtual-daa-score-changed' })
    connection.close()
  })

  it('fails what is under way at once when the node is gone, and every later call', async () => {
    const connection = await connect(encoding, (_, socket) => {
      socket.terminate()
      return undefined
    })
    const [sink, count] = await Promise.all([
      failure(connection.call('getSink', {})),
      failure(connection.call('getBlockCount', {})),
    ])
    expect(sink).toMatchObject({ method: 'getSink', code: 'connection-lost' })
    expect(count).toMatchObject({ method: 'getBlockCount', code: 'connection-lost' })
    expect(await firstValueFrom(connection.closed$)).toMatchObject({ code: 1006 })
    expect(await failure(connection.call('ping', {}))).toMatchObject({ code: 'connection-lost' })
  })

  it('ends at once from this side, and twice as well', async () => {
    const connection = await connect(encoding, () => undefined)
    const [socket] = node?.clients ?? []
    const gone = socket && once(socket, 'close')
    const pending = failure(connection.call('ping', {}))
    connection.close()
    connection.close()
    expect(await pending).toMatchObject({ code: 'connection-lost' })
    expect(await firstValueFrom(connection.closed$)).toEqual({ reason: 'it was closed from this side' })
    await gone
  })

  it('lets a listener that throws not keep others from hearing', async () => {
    const connection = await connect(encoding, () => undefined)
    const thrown = new Promise((resolve) => (config.onUnhandledError = resolve))
    connection.notifications$.subscribe(() => {
      throw new Error('a bug of the listener')
    })
    const heard = firstValueFrom(connection.notifications$)
    client().send(node?.codec.encodeNotification(score(9n)) ?? '')
    expect(await heard).toEqual(score(9n))
    expect(await thrown).toEqual(new Error('a bug of the listener'))
    config.onUnhandledError = null
    connection.close()
  })
})

describe('a JSON connection to a node before 0.16', () => {
  it('understands the notifications that it sends as Borsh', async () => {
    const connection = await connect('SerdeJson', () => undefined)
    const heard = firstValueFrom(connection.notifications$)
    client().send(createBorshCodec().encodeNotification(score(5n)))
    expect(await heard).toEqual(score(5n))
    connection.close()
  })
})

describe('dialling', () => {
  it('fails where nobody listens, and says where', async () => {
    node = await startScriptedNode('Borsh', () => undefined)
    const { url } = node
    await node.close()
    node = undefined
    expect(await failure(port.dial({ url, encoding: 'Borsh' }))).toMatchObject({
      method: 'connect',
      code: 'connect-failed',
      cause: { message: `${url} could not be reached`, cause: { code: 'ECONNREFUSED' } },
    })
  })

  it.each(['htp://node', 'node:17110', 'http://127.0.0.1', ''])('refuses "%s" for good', async (url) => {
    const error = await failure(port.dial({ url, encoding: 'Borsh' }))
    expect(error).toMatchObject({ method: 'connect', code: 'invalid-argument', argument: 'url' })
  })

  it('opens a socket a subscription, and leaves it to its receiver', async () => {
    node = await startScriptedNode('Borsh', ({ id }, _, codec) => codec.encodeResponse(id, 'ping', {}))
    const dial$ = port.dial({ url: node.url, encoding: 'Borsh' })
    const [first, second] = await Promise.all([firstValueFrom(dial$), firstValueFrom(dial$)])
    await Promise.all([firstValueFrom(first.call('ping', {})), firstValueFrom(second.call('ping', {}))])
    expect(node.clients.size).toBe(2)
    first.close()
    second.close()
  })
})

const metrics = {
  processMetrics: true,
  connectionMetrics: true,
  bandwidthMetrics: true,
  consensusMetrics: true,
  storageMetrics: true,
  customMetrics: false,
}
