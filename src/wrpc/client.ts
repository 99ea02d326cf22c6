import { defer, map, of, switchMap, type Observable } from 'rxjs'
import { loadCode, onceLoaded } from '../loading/load-code.js'
import type { RpcEncoding } from '../model/network.js'
import type { NodePort } from '../node/port.js'
import type { Platform } from '../platform/port.js'
import { createBorshClientCodec } from './borsh/client-codec.js'
import type { ClientCodec, Frame } from './codec.js'
import { createNodeConnection } from './connection.js'
import { openSocket$ } from './open-socket.js'
import { webSocket } from './web-socket.js'
import { withBorshNotifications } from './quirks/borsh-notifications.js'

export interface NodePortOptions {
  /** The default timeout of a call, ms. @default 60_000 */
  readonly requestTimeout?: number | undefined
  /** The longest message of a node, bytes; a longer one ends the connection. @default the platform's */
  readonly maxFrameSize?: number | undefined
}

/** Opens node connections over the platform's sockets. Does no work before `dial`. */
export function createNodePort(
  platform: Pick<Platform, 'openSocket' | 'scheduler' | 'maxFrameSize'>,
  { requestTimeout = 60_000, maxFrameSize = platform.maxFrameSize }: NodePortOptions = {},
): NodePort {
  const codec$ = createCodecs()
  const { scheduler } = platform
  return {
    dial: (endpoint) =>
      codec$(endpoint.encoding).pipe(
        switchMap((codec) =>
          openSocket$(platform, endpoint.url, maxFrameSize).pipe(
            map((socket) =>
              createNodeConnection(webSocket(socket, maxFrameSize), { endpoint, codec, scheduler, requestTimeout }),
            ),
          ),
        ),
      ),
  }
}

/**
 * Codecs are created on first use and shared by all connections: they contain only caches. The JSON codec, for
 * debugging, is loaded lazily.
 */
function createCodecs(): (encoding: RpcEncoding) => Observable<ClientCodec<Frame>> {
  let borsh: ClientCodec<Frame> | undefined
  const borshCodec = (): ClientCodec<Frame> => (borsh ??= createBorshClientCodec())
  const jsonCodec = onceLoaded(async () => {
    const { createJsonClientCodec } = await loadCode(() => import('./json/client-codec.js'))
    return withBorshNotifications(createJsonClientCodec(), borshCodec)
  })
  return (encoding) => defer(() => (encoding === 'Borsh' ? of(borshCodec()) : jsonCodec()))
}
