import { asyncScheduler, catchError, lastValueFrom, map, of, type Observable } from 'rxjs'
import type { ChainRpcError } from '../../src/errors/rpc-error.js'
import { describe, expect, it, vi } from 'vitest'
import type { RpcResponse } from '../../src/node/messages/records.js'
import type { Endpoint } from '../../src/node/port.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { createNodeConnection } from '../../src/wrpc/connection.js'
import { marbles } from '../marbles.js'
import { scriptedSocket } from './scripted-socket.js'

const endpoint: Endpoint = { url: 'ws://node', encoding: 'Borsh' }
const codec = createBorshCodec()
const SINK = 'ab'.repeat(32)

/** The answer to the n-th request of a connection. */
const answerTo = (id: bigint): ArrayBuffer => {
  const frame = codec.encodeResponse(id, 'getSink', { sink: SINK })
  return typeof frame === 'string' ? new ArrayBuffer(0) : frame.slice().buffer
}

/** `a` for an answer, `t` for a deadline that passed. */
const toLetter = (answer$: Observable<RpcResponse<'getSink'>>): Observable<string> =>
  answer$.pipe(
    map(() => 'a'),
    catchError((error: ChainRpcError) => of(error.code === 'timeout' ? 't' : error.code)),
  )

describe('the deadline of a call', () => {
  it(
    'ends the wait when the node stays silent',
    marbles((m) => {
      const { scheduler } = m
      const connection = createNodeConnection(scriptedSocket(), { endpoint, codec, scheduler, requestTimeout: 5 })
      const start = '   -^        '
      const expected = '------(t|)'
      m.expect(toLetter(connection.call('getSink', {})), start).toBeObservable(expected)
    }),
  )

  it(
    'is the one that the call names, where it names one',
    marbles((m) => {
      const { scheduler } = m
      const connection = createNodeConnection(scriptedSocket(), { endpoint, codec, scheduler, requestTimeout: 60_000 })
      const expected = '-----(t|) '
      const sink$ = connection.call('getSink', {}, { timeout: 5 })
      m.expect(toLetter(sink$)).toBeObservable(expected)
    }),
  )

  it(
    'is forgotten with the answer; a late answer is nobody’s',
    marbles((m) => {
      const { scheduler } = m
      const socket = scriptedSocket()
      const connection = createNodeConnection(socket, { endpoint, codec, scheduler, requestTimeout: 5 })
      const answers = ' ---1----------2'
      const first = '   ---(a|)        '
      const second = '  ---------(t|)  '
      const start = '   ----^          '
      m.hot(answers).subscribe((id: string) => socket.onmessage?.({ data: answerTo(BigInt(id)) }))
      const sink$ = toLetter(connection.call('getSink', {}))
      m.expect(sink$).toBeObservable(first)
      m.expect(sink$, start).toBeObservable(second)
    }),
  )

  it(
    'means nothing once nobody waits any more',
    marbles((m) => {
      const { scheduler } = m
      const socket = scriptedSocket()
      const connection = createNodeConnection(socket, { endpoint, codec, scheduler, requestTimeout: 5 })
      const answers = ' ----1     '
      const waiting = ' ^--!      '
      const expected = '---       '
      m.hot(answers).subscribe(() => socket.onmessage?.({ data: answerTo(1n) }))
      m.expect(toLetter(connection.call('getSink', {})), waiting).toBeObservable(expected)
    }),
  )

  it(
    'rings for each call in its own time, though one timer serves all of the same length',
    marbles((m) => {
      const { scheduler } = m
      const socket = scriptedSocket()
      const connection = createNodeConnection(socket, { endpoint, codec, scheduler, requestTimeout: 5 })
      const sink$ = toLetter(connection.call('getSink', {}))
      const answers = ' ---2          '
      const first = '   -----(t|)     '
      const second = '  ---(a|)       '
      const start = '   --^           '
      const third = '   -------(t|)   '
      m.hot(answers).subscribe((id: string) => socket.onmessage?.({ data: answerTo(BigInt(id)) }))
      m.expect(sink$).toBeObservable(first)
      m.expect(sink$).toBeObservable(second)
      m.expect(sink$, start).toBeObservable(third)
    }),
  )

  it(
    'of one length does not wait for one of another',
    marbles((m) => {
      const { scheduler } = m
      const connection = createNodeConnection(scriptedSocket(), { endpoint, codec, scheduler, requestTimeout: 9 })
      m.expect(toLetter(connection.call('getSink', {}))).toBeObservable('         ---------(t|)')
      m.expect(toLetter(connection.call('getSink', {}, { timeout: 3 }))).toBeObservable('---(t|)')
    }),
  )

  it('leaves no timer behind when the connection ends', () => {
    vi.useFakeTimers()
    const scheduler = asyncScheduler
    const connection = createNodeConnection(scriptedSocket(), { endpoint, codec, scheduler, requestTimeout: 60_000 })
    connection.call('getSink', {}).subscribe({ error: () => undefined })
    const during = vi.getTimerCount()
    connection.close()
    expect([during, vi.getTimerCount()]).toEqual([1, 0])
    vi.useRealTimers()
  })

  it('says who was silent, and that nobody knows what came of the request', async () => {
    const scheduler = asyncScheduler
    const connection = createNodeConnection(scriptedSocket(), { endpoint, codec, scheduler, requestTimeout: 1 })
    const error: unknown = await lastValueFrom(connection.call('getSink', {})).catch((cause: unknown) => cause)
    expect(error).toMatchObject({
      message: 'RPC method "getSink" failed',
      hint: 'What the node made of the request is not known. Look before you ask again.',
      cause: { message: 'ws://node gave no answer within 1 ms' },
    })
  })
})
