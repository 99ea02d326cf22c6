// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createBrowserPlatform } from '../../src/platform/browser.js'
import { createPlatform } from '../../src/platform/detect.js'
import type { StandardSocket } from '../../src/platform/socket.js'

/** A fake of the browser's WebSocket, controlled by the test. */
class FakeWebSocket implements StandardSocket {
  static readonly opened: FakeWebSocket[] = []
  binaryType = 'blob'
  readyState = 0
  bufferedAmount = 7
  onopen: ((event: unknown) => unknown) | null = null
  onmessage: ((event: unknown) => unknown) | null = null
  onerror: ((event: unknown) => unknown) | null = null
  onclose: ((event: unknown) => unknown) | null = null
  readonly sent: unknown[] = []
  readonly closed: unknown[] = []

  constructor(readonly url: string) {
    if (url.startsWith('ws://forbidden')) throw new DOMException('mixed content', 'SecurityError')
    FakeWebSocket.opened.push(this)
  }
  send(data: unknown): void {
    this.sent.push(data)
  }
  close(...args: readonly unknown[]): void {
    this.closed.push(args)
  }
}

beforeEach(() => {
  vi.stubGlobal('WebSocket', FakeWebSocket)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  FakeWebSocket.opened.length = 0
})

describe('a socket in a browser', () => {
  it("wraps the browser's WebSocket and receives binary messages as ArrayBuffer", async () => {
    const socket = await createBrowserPlatform().openSocket('ws://node.example')
    const [native] = FakeWebSocket.opened
    expect([native?.url, native?.binaryType]).toEqual(['ws://node.example', 'arraybuffer'])
    const received: unknown[] = []
    socket.onopen = () => received.push('open')
    socket.onmessage = ({ data }) => received.push(data)
    socket.onerror = () => received.push('error')
    socket.onclose = ({ code, reason }) => received.push([code, reason])
    native?.onopen?.({})
    native?.onmessage?.({ data: 'text' })
    native?.onerror?.({})
    native?.onclose?.({ code: 1006, reason: '' })
    expect(received).toEqual(['open', 'text', 'error', [1006, '']])
  })

  it('forwards send, close, readyState and bufferedAmount', async () => {
    const socket = await createBrowserPlatform().openSocket('ws://node.example')
    const [native] = FakeWebSocket.opened
    socket.send('text')
    socket.close(1000, 'done')
    expect(native).toMatchObject({ sent: ['text'], closed: [[1000, 'done']] })
    expect([socket.readyState, socket.bufferedAmount]).toEqual([0, 7])
  })

  it('ignores events without a handler', async () => {
    await createBrowserPlatform().openSocket('ws://node.example')
    const [native] = FakeWebSocket.opened
    expect(() => native?.onerror?.({})).not.toThrow()
  })

  it('rejects instead of throwing if the page may not open it', async () => {
    const opening = createBrowserPlatform().openSocket('ws://forbidden.example')
    await expect(opening).rejects.toMatchObject({ name: 'SecurityError' })
  })
})

describe('the platform of a page', () => {
  it('is the browser platform if there is a document', () => {
    expect(createPlatform().secure).toBe(location.protocol === 'https:')
  })

  it('emits the online state, then each change', () => {
    const { online$ } = createBrowserPlatform()
    const emitted: boolean[] = []
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true)
    const subscription = online$.subscribe((isOnline) => emitted.push(isOnline))
    online.mockReturnValue(false)
    window.dispatchEvent(new Event('offline'))
    window.dispatchEvent(new Event('offline'))
    online.mockReturnValue(true)
    window.dispatchEvent(new Event('online'))
    subscription.unsubscribe()
    window.dispatchEvent(new Event('offline'))
    expect(emitted).toEqual([true, false, true])
  })

  it('emits the visibility, also after the page was frozen', () => {
    const { visible$ } = createBrowserPlatform()
    const emitted: boolean[] = []
    const visible = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible')
    const subscription = visible$.subscribe((isVisible) => emitted.push(isVisible))
    visible.mockReturnValue('hidden')
    document.dispatchEvent(new Event('visibilitychange'))
    visible.mockReturnValue('visible')
    document.dispatchEvent(new Event('resume'))
    subscription.unsubscribe()
    expect(emitted).toEqual([true, false, true])
  })

  it('stores values, and reads null if storage is blocked', () => {
    const { storage } = createBrowserPlatform()
    storage?.set('key', 'value')
    expect(storage?.get('key')).toBe('value')
    storage?.remove('key')
    expect(storage?.get('key')).toBeNull()
    vi.stubGlobal('localStorage', {
      getItem: () => {
        throw new DOMException('blocked', 'SecurityError')
      },
    })
    expect(createBrowserPlatform().storage?.get('key')).toBeNull()
  })
})
