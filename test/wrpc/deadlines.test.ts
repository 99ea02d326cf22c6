import { asyncScheduler, catchError, lastValueFrom, map, of, take, timer, type Observable } from 'rxjs'
import type { ChainRpcError } from '../../src/errors/rpc-error.js'
import { describe, expect, it, vi } from 'vitest'
import type { RpcResponse } from '../../src/node/messages/records.js'
import type { Endpoint } from '../../src/node/port.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { createNodeConnection } from '../../src/wrpc/client.js'
import { webSocket } from '../../src/wrpc/web-socket.js'
import { marbles } from '../marbles.js'
import { scriptedSocket } from './scripted-socket.js'

const endpoint: Endpoint = { url: 'ws://node', encoding: 'Borsh' }
const codec = createBorshCodec()
const SINK = 'ab'.repeat(32)

/** The response to the n-th request of a connection. */
const responseTo = (id: bigint): ArrayBuffer => {
  const frame = codec.encodeResponse(id, 'getSink', { sink: SINK })
  return typeof frame === 'string' ? new ArrayBuffer(0) : frame.slice().buffer
}

const SCORE = codec.encodeNotification({ type: 'virtual-daa-score-changed', data: { virtualDaaScore: 1n } })

/** `a` for a response, `t` for a timeout. */
const toLetter = (response$: Observable<RpcResponse<'getSink'>>): Observable<string> =>
  response$.pipe(
    map(() => 'a'),
    catchError((error: ChainRpcError) => of(error.code === 'timeout' ? 't' : error.code)),
  )

describe('the deadline of a call', () => {
  it(
    'fails a call without a response',
    marbles((m) => {
      const { scheduler } = m
      const connection = createNodeConnection(webSocket(scriptedSocket()), {
        endpoint,
        codec,
        scheduler,
        requestTimeout: 5,
      })
      const start = '   -^        '
      const expected = '------(t|)'
      m.expect(toLetter(connection.call('getSink', {})), start).toBeObservable(expected)
    }),
  )

  it(
    'is the timeout of the call if it has one',
    marbles((m) => {
      const { scheduler } = m
      const connection = createNodeConnection(webSocket(scriptedSocket()), {
        endpoint,
        codec,
        scheduler,
        requestTimeout: 60_000,
      })
      const expected = '-----(t|) '
      const sink$ = connection.call('getSink', {}, { timeout: 5 })
      m.expect(toLetter(sink$)).toBeObservable(expected)
    }),
  )

  it(
    'passes before its time where the response is lost: ten seconds of notifications arrive in its place',
    marbles((m) => {
      const { scheduler } = m
      const socket = scriptedSocket()
      const deps = { endpoint, codec, scheduler, requestTimeout: 60_000 }
      const connection = createNodeConnection(webSocket(socket), deps)
      const error$ = connection
        .call('getSink', {})
        .pipe(catchError((error: ChainRpcError) => of(`${error.code} ${String(error.cause)}`)))
      timer(500, 500, scheduler)
        .pipe(take(60))
        .subscribe(() => socket.onmessage?.({ data: SCORE }))
      const lost = 'timeout ChainError: ws://node sent notifications, and no response: it is lost'
      m.expect(error$, '^ 29s !').toBeObservable('10500ms (l|)', { l: lost })
    }),
  )

  it(
    'ends with the response; a late response is ignored',
    marbles((m) => {
      const { scheduler } = m
      const socket = scriptedSocket()
      const connection = createNodeConnection(webSocket(socket), { endpoint, codec, scheduler, requestTimeout: 5 })
      const replies = ' ---1----------2'
      const first = '   ---(a|)        '
      const second = '  ---------(t|)  '
      const start = '   ----^          '
      m.hot(replies).subscribe((id: string) => socket.onmessage?.({ data: responseTo(BigInt(id)) }))
      const sink$ = toLetter(connection.call('getSink', {}))
      m.expect(sink$).toBeObservable(first)
      m.expect(sink$, start).toBeObservable(second)
    }),
  )

  it(
    'is ignored after unsubscribing',
    marbles((m) => {
      const { scheduler } = m
      const socket = scriptedSocket()
      const connection = createNodeConnection(webSocket(socket), { endpoint, codec, scheduler, requestTimeout: 5 })
      const replies = ' ----1     '
      const subscribed = ' ^--!      '
      const expected = '---       '
      m.hot(replies).subscribe(() => socket.onmessage?.({ data: responseTo(1n) }))
      m.expect(toLetter(connection.call('getSink', {})), subscribed).toBeObservable(expected)
    }),
  )

  it(
    'expires for each call separately, though calls with the same timeout share one timer',
    marbles((m) => {
      const { scheduler } = m
      const socket = scriptedSocket()
      const connection = createNodeConnection(webSocket(socket), { endpoint, codec, scheduler, requestTimeout: 5 })
      const sink$ = toLetter(connection.call('getSink', {}))
      const replies = ' ---2          '
      const first = '   -----(t|)     '
      const second = '  ---(a|)       '
      const start = '   --^           '
      const third = '   -------(t|)   '
      m.hot(replies).subscribe((id: string) => socket.onmessage?.({ data: responseTo(BigInt(id)) }))
      m.expect(sink$).toBeObservable(first)
      m.expect(sink$).toBeObservable(second)
      m.expect(sink$, start).toBeObservable(third)
    }),
  )

  it(
    'does not depend on calls with another timeout',
    marbles((m) => {
      const { scheduler } = m
      const connection = createNodeConnection(webSocket(scriptedSocket()), {
        endpoint,
        codec,
        scheduler,
        requestTimeout: 9,
      })
      m.expect(toLetter(connection.call('getSink', {}))).toBeObservable('         ---------(t|)')
      m.expect(toLetter(connection.call('getSink', {}, { timeout: 3 }))).toBeObservable('---(t|)')
    }),
  )

  it('leaves no timer behind when the connection ends', () => {
    vi.useFakeTimers()
    const scheduler = asyncScheduler
    const connection = createNodeConnection(webSocket(scriptedSocket()), {
      endpoint,
      codec,
      scheduler,
      requestTimeout: 60_000,
    })
    connection.call('getSink', {}).subscribe({ error: () => undefined })
    const during = vi.getTimerCount()
    connection.close()
    expect([during, vi.getTimerCount()]).toEqual([1, 0])
    vi.useRealTimers()
  })

  it('reports the node and that the outcome of the request is unknown', async () => {
    const scheduler = asyncScheduler
    const connection = createNodeConnection(webSocket(scriptedSocket()), {
      endpoint,
      codec,
      scheduler,
      requestTimeout: 1,
    })
    const error: unknown = await lastValueFrom(connection.call('getSink', {})).catch((cause: unknown) => cause)
    expect(error).toMatchObject({
      message: 'RPC method "getSink" failed',
      hint: 'The node may have executed the request. Check its state before you call again.',
      cause: { message: 'ws://node did not respond within 1 ms' },
    })
  })
})
