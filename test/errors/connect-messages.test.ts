import { describe, expect, it } from 'vitest'
import { connectError, ChainRpcError } from '../../src/errors/rpc-error.js'
import { freePort } from '../free-port.js'
import { createParts } from '../../src/engine/core.js'
import {
  aborted,
  connectTimedOut,
  connectionLost,
  disposed,
  noEndpoint,
  resolverTimedOut,
  superseded,
  toConnectError,
} from '../../src/streams/connection/dial.js'
import { pingTimedOut } from '../../src/streams/connection/heartbeat.js'
import { requireNetwork } from '../../src/streams/session/handshake.js'
import { codeNotLoaded } from '../../src/errors/not-ready-error.js'

const URL = 'ws://127.0.0.1:17110'
const thrown = (action: () => void): unknown => {
  try {
    action()
    return undefined
  } catch (error) {
    return error
  }
}

describe('the message of a failed connection', () => {
  it.each<[string, () => unknown, string]>([
    ['timeout', () => connectTimedOut(URL, 10_000), `Could not connect to ${URL}: not ready within 10000 ms`],
    ['timeout', () => resolverTimedOut(500), 'Could not connect: no resolver returned a node within 500 ms'],
    [
      'connection-lost',
      () => connectionLost(URL, { reason: 'the node closed it', cause: undefined }),
      `The connection to ${URL} was lost: the node closed it`,
    ],
    [
      'connection-lost',
      () => pingTimedOut(URL, 3_000),
      `The connection to ${URL} was lost: no response to a ping within 3000 ms`,
    ],
    ['aborted', aborted, 'Could not connect: disconnect() aborted the attempt'],
    ['superseded', superseded, 'Could not connect: a newer connect() or reconnect() replaced it'],
    ['disposed', disposed, 'Could not connect: The engine has been disposed of'],
    ['connect-failed', noEndpoint, 'Could not connect: there is neither a url nor a resolver'],
    [
      'wrong-network',
      () =>
        thrown(() =>
          requireNetwork(URL, { networkId: 'testnet-10' }, { network: 'mainnet' } as Parameters<
            typeof requireNetwork
          >[2]),
        ),
      `Could not connect to ${URL}: the node serves testnet-10, not mainnet`,
    ],
    [
      'code-not-loaded',
      () => toConnectError(codeNotLoaded(new Error('offline'))),
      'Could not connect: A part of vue-chain could not be loaded: offline',
    ],
    [
      'timeout',
      () => toConnectError(new ChainRpcError('getServerInfo', new Error('No response'), { code: 'timeout' })),
      'Could not connect: RPC method "getServerInfo" failed: No response',
    ],
    ['connect-failed', () => toConnectError(new Error('no route')), 'Could not connect: no route'],
    ['failed', () => new ChainRpcError('connect', new Error('no route')), 'Could not connect: no route'],
    ['failed', () => new ChainRpcError('connect'), 'Could not connect'],
  ])('%s', (code, create, message) => {
    expect(create()).toMatchObject({ name: 'ChainRpcError', method: 'connect', code, message })
  })

  it('leaves the message of a method as the interface has it', () => {
    expect(new ChainRpcError('getBlock', new Error('cannot find header')).message).toBe('RPC method "getBlock" failed')
  })

  it('masks credentials', () => {
    const error = connectError(undefined, { code: 'connect-failed', url: 'wss://me:secret@node', why: 'refused' })
    expect(error.message).toBe('Could not connect to wss://***@node: refused')
  })

  it('is in one line of a refused connection, over a real socket', async () => {
    const url = `ws://127.0.0.1:${await freePort()}`
    const core = createParts({ network: 'simnet', reconnect: false, url })
    await expect(core.connection.connect()).rejects.toThrow(`Could not connect to ${url}: connection refused`)
    await core.dispose()
  })
})
