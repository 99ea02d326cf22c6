import { EMPTY, NEVER, of, throwError, type Observable } from 'rxjs'
import { expect, it } from 'vitest'
import type { NodeConnection } from '../../../src/node/port.js'
import { createRequest, type CallDeps } from '../../../src/streams/session/call.js'
import { withoutForeignEntries } from '../../../src/streams/session/requested-entries.js'

const REMOTE = new Error('refused by the node')
const NOT_CONNECTED = new Error('not connected')

const serverInfo = {
  serverVersion: '1.0.0',
  networkId: 'simnet',
  isSynced: true,
  hasUtxoIndex: true,
  virtualDaaScore: 1n,
  daaScoreChangedAt: 0,
}

/** Requests to a node that replies with `response$`; `null` for no connection. */
function requestsTo(response$: Observable<unknown> | null) {
  const timeouts: (number | undefined)[] = []
  const responses: string[] = []
  const connection: NodeConnection = {
    endpoint: { url: 'ws://node', encoding: 'Borsh' },
    call: (_method, _request, options) => {
      timeouts.push(options?.timeout)
      return (response$ ?? NEVER) as Observable<never> // a test sends one method
    },
    notifications$: NEVER,
    closed$: NEVER,
    close: () => undefined,
  }
  const deps: CallDeps = {
    session: () => (response$ === null ? null : { connection, serverInfo, withoutForeignEntries }),
    requestTimeout: 7,
    toNotConnected: () => NOT_CONNECTED,
    onResponse: (method) => responses.push(method),
    onInvalidEntries: () => undefined,
  }
  return { request: createRequest(deps), timeouts, responses }
}

it('resolves to the response, and reports it', async () => {
  const { request, timeouts, responses } = requestsTo(of({ sink: 'ab' }))
  await expect(request('getSink', {})).resolves.toEqual({ sink: 'ab' })
  expect([timeouts, responses]).toEqual([[7], ['getSink']])
})

it('rejects with the error of the connection, which is no response', async () => {
  const { request, responses } = requestsTo(throwError(() => REMOTE))
  await expect(request('getSink', {})).rejects.toBe(REMOTE)
  expect(responses).toEqual([])
})

it('rejects without a connection', async () => {
  const { request, timeouts } = requestsTo(null)
  await expect(request('getSink', {})).rejects.toBe(NOT_CONNECTED)
  expect(timeouts).toEqual([])
})

it('rejects for a method that the node does not have, which is not sent', async () => {
  const { request, timeouts } = requestsTo(of({}))
  const v2 = request('getVirtualChainFromBlockV2', { startHash: 'ab'.repeat(32) })
  await expect(v2).rejects.toMatchObject({ code: 'unsupported' })
  expect(timeouts).toEqual([])
})

it('rejects where a port completes without a response', async () => {
  const { request } = requestsTo(EMPTY)
  await expect(request('getSink', {})).rejects.toMatchObject({
    name: 'ChainRpcError',
    code: 'failed',
    details: 'The connection completed the call without a response',
  })
})
