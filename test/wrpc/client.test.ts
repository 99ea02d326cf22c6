import { once } from 'node:events'
import { NEVER, config, firstValueFrom, lastValueFrom, toArray, type Observable } from 'rxjs'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { ChainRpcError } from '../../src/errors/rpc-error.js'
import type { RpcEncoding } from '../../src/model/network.js'
import type { NodeNotification } from '../../src/node/messages/records.js'
import type { NodeConnection } from '../../src/node/port.js'
import { createServerPlatform } from '../../src/platform/detect.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { createNodePort } from '../../src/wrpc/client.js'
import { serverError } from '../../src/wrpc/wire-errors.js'
import { startWireNode, type WireNode, type WireResponders } from '../wire-node.js'

const HASH = 'ab'.repeat(32)
const score = (virtualDaaScore: bigint): NodeNotification => ({
  type: 'virtual-daa-score-changed',
  data: { virtualDaaScore },
})

let node: WireNode | undefined
afterEach(async () => {
  await node?.close()
  node = undefined
})

const port = createNodePort(createServerPlatform())

async function connect(encoding: RpcEncoding, responders: WireResponders = {}): Promise<NodeConnection> {
  node = await startWireNode(encoding, responders)
  const connection = await firstValueFrom(port.dial({ url: node.url(), encoding }))
  onTestFinished(() => connection.close())
  return connection
}

/** The error of a stream. */
const failure = (source$: Observable<unknown>): Promise<unknown> =>
  lastValueFrom(source$).catch((error: unknown) => error)

describe.each<RpcEncoding>(['Borsh', 'SerdeJson'])('a connection to a node, in %s', (encoding) => {
  it('sends a request and receives the response', async () => {
    const connection = await connect(encoding, { getSink: () => ({ sink: HASH }) })
    expect(await firstValueFrom(connection.call('getSink', {}))).toEqual({ sink: HASH })
  })

  it('matches responses to requests by id, in any order', async () => {
    const ids: bigint[] = []
    const connection = await connect(encoding, {
      getDaaScoreTimestampEstimate: (_, { id: latest, codec }) => {
        ids.push(latest)
        if (ids.length < 3) return undefined
        for (const id of ids.reverse())
          node?.send(codec.encodeResponse(id, 'getDaaScoreTimestampEstimate', { timestamps: [id] }))
        return undefined
      },
    })
    const call = (): Promise<{ timestamps: readonly bigint[] }> =>
      firstValueFrom(connection.call('getDaaScoreTimestampEstimate', { daaScores: [] }))
    const responses = await Promise.all([call(), call(), call()])
    expect(responses.map(({ timestamps }) => timestamps[0])).toEqual([1n, 2n, 3n])
  })

  it('sends one request per subscription, and none before', async () => {
    const ids: bigint[] = []
    const connection = await connect(encoding, {
      ping: (_, { id }) => {
        ids.push(id)
        return {}
      },
    })
    const ping$ = connection.call('ping', {})
    expect(ids).toEqual([])
    await lastValueFrom(ping$)
    await lastValueFrom(ping$)
    expect(ids).toEqual([1n, 2n])
  })

  it('reports an application error with the message of the node', async () => {
    const connection = await connect(encoding, {
      getBlock: () => {
        throw new Error(`cannot find header ${HASH}`)
      },
    })
    const error = await failure(connection.call('getBlock', { hash: HASH, includeTransactions: false }))
    expect(error).toBeInstanceOf(ChainRpcError)
    expect(error).toMatchObject({
      method: 'getBlock',
      code: 'remote',
      cause: { message: `cannot find header ${HASH}` },
    })
  })

  it('reports a method that is not served as unsupported', async () => {
    const connection = await connect(encoding, {
      getMetrics: (_, { id, codec }) => codec.encodeError(id, 'getMetrics', serverError('not-found')),
    })
    expect(await failure(connection.call('getMetrics', metrics))).toMatchObject({ code: 'unsupported' })
  })

  it('rejects an invalid request without sending it', async () => {
    const connection = await connect(encoding)
    const error = await failure(connection.call('getBlock', { hash: 'ab', includeTransactions: true }))
    expect(error).toMatchObject({ method: 'getBlock', code: 'invalid-argument', argument: 'hash' })
    await firstValueFrom(connection.call('ping', {}))
    expect(node?.calls).toEqual(['ping'])
  })

  it('emits every notification once and in order, and completes when the socket closes', async () => {
    const connection = await connect(encoding)
    const received = lastValueFrom(connection.notifications$.pipe(toArray()))
    for (const daaScore of [1n, 2n, 3n]) node?.notify(score(daaScore))
    node?.clients.forEach((client) => client.close(1000))
    expect(await received).toEqual([score(1n), score(2n), score(3n)])
    expect(await firstValueFrom(connection.closed$)).toMatchObject({ code: 1000 })
  })

  it('fails a call with a malformed response and stays open', async () => {
    const connection = await connect(encoding, {
      getSink: (_, { encode }) => {
        const good = encode({ sink: HASH })
        return typeof good === 'string' ? good.replace('abab', 'zzzz') : good.slice(0, -5)
      },
    })
    expect(await failure(connection.call('getSink', {}))).toMatchObject({ method: 'getSink', code: 'malformed' })
    expect(await firstValueFrom(connection.call('ping', {}))).toEqual({})
  })

  it('reports a malformed notification', async () => {
    const connection = await connect(encoding)
    const malformed = firstValueFrom<unknown>(connection.malformed$ ?? NEVER)
    const good = node?.codec.encodeNotification(score(1n)) ?? ''
    node?.send(typeof good === 'string' ? good.replace(':1}', ':-1}') : good.slice(0, -2))
    expect(await malformed).toMatchObject({ code: 'malformed', method: 'virtual-daa-score-changed' })
  })

  it('fails pending and later calls at once when the node is disconnected', async () => {
    const connection = await connect(encoding, {
      getSink: (_, { client }) => {
        client.terminate()
        return undefined
      },
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

  it('closes at once, and close() is idempotent', async () => {
    const connection = await connect(encoding)
    const [client] = node?.clients ?? []
    const closed = client && once(client, 'close')
    const pending = failure(connection.call('ping', {}))
    connection.close()
    connection.close()
    expect(await pending).toMatchObject({ code: 'connection-lost' })
    expect(await firstValueFrom(connection.closed$)).toEqual({ reason: 'it was closed by the client' })
    await closed
  })

  it('emits to other subscribers when one throws', async () => {
    const connection = await connect(encoding)
    const thrown = new Promise((resolve) => (config.onUnhandledError = resolve))
    connection.notifications$.subscribe(() => {
      throw new Error('a bug of the subscriber')
    })
    const received = firstValueFrom(connection.notifications$)
    node?.notify(score(9n))
    expect(await received).toEqual(score(9n))
    expect(await thrown).toEqual(new Error('a bug of the subscriber'))
    config.onUnhandledError = null
  })
})

describe('a JSON connection to a node before 0.16', () => {
  it('decodes the notifications sent as Borsh', async () => {
    const connection = await connect('SerdeJson')
    const received = firstValueFrom(connection.notifications$)
    node?.send(createBorshCodec().encodeNotification(score(5n)))
    expect(await received).toEqual(score(5n))
  })
})

describe('dial', () => {
  it('fails with the URL if no node listens', async () => {
    node = await startWireNode('Borsh')
    const url = node.url()
    await node.close()
    node = undefined
    expect(await failure(port.dial({ url, encoding: 'Borsh' }))).toMatchObject({
      method: 'connect',
      code: 'connect-failed',
      cause: { message: `${url} could not be reached`, cause: { code: 'ECONNREFUSED' } },
    })
  })

  it.each(['htp://node', 'node:17110', 'http://127.0.0.1', ''])('rejects "%s" permanently', async (url) => {
    const error = await failure(port.dial({ url, encoding: 'Borsh' }))
    expect(error).toMatchObject({ method: 'connect', code: 'invalid-argument', argument: 'url' })
  })

  it('opens one socket per subscription', async () => {
    node = await startWireNode('Borsh')
    const dial$ = port.dial({ url: node.url(), encoding: 'Borsh' })
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
