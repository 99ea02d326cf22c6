import { Observable, Subscription } from 'rxjs'
import { ChainError } from '../errors/chain-error.js'
import { ChainRpcError } from '../errors/rpc-error.js'
import type { Platform, PlatformSocket } from '../platform/port.js'

/**
 * Opens a socket: emits it once when it stands, and completes; from then on it is its receiver's. Cold.
 * Errors with `ChainRpcError('connect', cause)`: `invalid-argument` where `url` is none of a WebSocket, else `connect-failed`.
 * Unsubscribed before, it closes the socket unheard, also one that is still to come.
 */
export function openSocket$(platform: Pick<Platform, 'openSocket'>, url: string): Observable<PlatformSocket> {
  return new Observable((subscriber) => {
    if (!isSocketUrl(url)) {
      subscriber.error(malformedUrl(url))
      return
    }
    const adopt = (socket: PlatformSocket): void => {
      const abandoned = new Subscription(() => abandon(socket))
      subscriber.add(abandoned)
      if (subscriber.closed) return
      let trouble: unknown
      const handOver = (): void => {
        subscriber.remove(abandoned)
        subscriber.next(socket)
        subscriber.complete()
      }
      socket.onopen = handOver
      socket.onerror = (event) => (trouble = event)
      socket.onclose = () => subscriber.error(unreachable(url, trouble))
      if (socket.readyState === OPEN) handOver()
    }
    platform.openSocket(url).then(adopt, (cause: unknown) => subscriber.error(unreachable(url, cause)))
  })
}

const OPEN = 1

/** Closes a socket unheard. */
export function abandon(socket: PlatformSocket): void {
  socket.onopen = socket.onmessage = socket.onerror = socket.onclose = null
  socket.close()
}

const isSocketUrl = (url: string): boolean => URL.canParse(url) && /^wss?:$/.test(new URL(url).protocol)

const malformedUrl = (url: string): ChainRpcError =>
  new ChainRpcError('connect', new ChainError(`"${url}" is no address of a WebSocket`), {
    code: 'invalid-argument',
    argument: 'url',
    hint: 'Give a url such as ws://127.0.0.1:17110.',
  })

const unreachable = (url: string, trouble: unknown): ChainRpcError =>
  new ChainRpcError('connect', new ChainError(`${url} could not be reached`, { cause: toCause(trouble) }), {
    code: 'connect-failed',
    hint: 'Check the address, and that a node listens there.',
  })

/** What a socket's error event is about; a browser's says nothing. */
const toCause = (trouble: unknown): unknown =>
  typeof trouble === 'object' && trouble !== null && 'error' in trouble ? trouble.error : trouble
