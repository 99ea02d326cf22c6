// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createBrowserPlatform } from '../../src/platform/browser.js'
import { createPlatform } from '../../src/platform/detect.js'
import type { StandardSocket } from '../../src/platform/socket.js'

/** The browser's own WebSocket, whose fate a test decides. */
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
  it("is the browser's own, and hears bytes as an ArrayBuffer", async () => {
    const socket = await createBrowserPlatform().openSocket('ws://node.example')
    const [native] = FakeWebSocket.opened
    expect([native?.url, native?.binaryType]).toEqual(['ws://node.example', 'arraybuffer'])
    const heard: unknown[] = []
    socket.onopen = () => heard.push('open')
    socket.onmessage = ({ data }) => heard.push(data)
    socket.onerror = () => heard.push('error')
    socket.onclose = ({ code, reason }) => heard.push([code, reason])
    native?.onopen?.({})
    native?.onmessage?.({ data: 'a word' })
    native?.onerror?.({})
    native?.onclose?.({ code: 1006, reason: '' })
    expect(heard).toEqual(['open', 'a word', 'error', [1006, '']])
  })

  it('sends, closes and tells of itself as the browser has it', async () => {
    const socket = await createBrowserPlatform().openSocket('ws://node.example')
    const [native] = FakeWebSocket.opened
    socket.send('a word')
    socket.close(1000, 'enough')
    expect(native).toMatchObject({ sent: ['a word'], closed: [[1000, 'enough']] })
    expect([socket.readyState, socket.bufferedAmount]).toEqual([0, 7])
  })

  it('troubles nobody with what comes before anyone listens', async () => {
    await createBrowserPlatform().openSocket('ws://node.example')
    const [native] = FakeWebSocket.opened
    expect(() => native?.onerror?.({})).not.toThrow()
  })

  it('is refused by a rejection, not by a throw, where the page may not open it', async () => {
    const opening = createBrowserPlatform().openSocket('ws://forbidden.example')
    await expect(opening).rejects.toMatchObject({ name: 'SecurityError' })
  })
})

describe('the surroundings of a page', () => {
  it('are those of a browser where there is a document', () => {
    expect(createPlatform().secure).toBe(location.protocol === 'https:')
  })

  it('tell whether there is a network: now, and then each change', () => {
    const { online$ } = createBrowserPlatform()
    const heard: boolean[] = []
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true)
    const listening = online$.subscribe((isOnline) => heard.push(isOnline))
    online.mockReturnValue(false)
    window.dispatchEvent(new Event('offline'))
    window.dispatchEvent(new Event('offline'))
    online.mockReturnValue(true)
    window.dispatchEvent(new Event('online'))
    listening.unsubscribe()
    window.dispatchEvent(new Event('offline'))
    expect(heard).toEqual([true, false, true])
  })

  it('tell whether anyone looks, also after the page was frozen', () => {
    const { visible$ } = createBrowserPlatform()
    const heard: boolean[] = []
    const visible = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible')
    const listening = visible$.subscribe((isVisible) => heard.push(isVisible))
    visible.mockReturnValue('hidden')
    document.dispatchEvent(new Event('visibilitychange'))
    visible.mockReturnValue('visible')
    document.dispatchEvent(new Event('resume'))
    listening.unsubscribe()
    expect(heard).toEqual([true, false, true])
  })

  it('keep small values, and do without where the page may not', () => {
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
