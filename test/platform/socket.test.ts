import { describe, expect, it } from 'vitest'
import { wrapSocket, type StandardSocket } from '../../src/platform/socket.js'

/** A socket of a browser, with the events that a test emits. */
class ScriptedWebSocket implements StandardSocket {
  binaryType = 'blob'
  readyState = 1
  readonly bufferedAmount = 0
  onopen: ((event: never) => unknown) | null = null
  onmessage: ((event: never) => unknown) | null = null
  onerror: ((event: never) => unknown) | null = null
  onclose: ((event: never) => unknown) | null = null

  readonly send = (): void => undefined
  readonly close = (): void => undefined

  emit(type: 'message' | 'error' | 'close', event: object): void {
    this[`on${type}`]?.(event as never)
  }

  get handlers(): readonly unknown[] {
    return [this.onopen, this.onmessage, this.onerror, this.onclose].filter((handler) => handler !== null)
  }
}

describe('wrapSocket', () => {
  it('handles events until the socket is closed, and no longer keeps handlers then', () => {
    const socket = new ScriptedWebSocket()
    const wrapped = wrapSocket(socket)
    const received: unknown[] = []
    wrapped.onmessage = ({ data }) => received.push(data)
    wrapped.onclose = ({ code }) => received.push(code)
    expect(socket.handlers).toHaveLength(4)
    socket.emit('message', { data: 'one' })
    socket.emit('error', {})
    socket.emit('close', { code: 1006, reason: '' })
    expect(received).toEqual(['one', 1006])
    expect(socket.handlers).toEqual([])
  })
})
