import { defer, map, of, switchMap, type Observable } from 'rxjs'
import type { RpcEncoding } from '../model/network.js'
import type { NodePort } from '../node/port.js'
import type { Platform } from '../platform/port.js'
import { createBorshCodec } from './borsh/codec.js'
import type { WireCodec } from './codec.js'
import { createNodeConnection } from './connection.js'
import { openSocket$ } from './open-socket.js'
import { understandingBorshNotifications } from './quirks/borsh-notifications.js'

export interface NodePortOptions {
  /** How long a call waits for its answer where it names no time of its own, ms. @default 60_000 */
  readonly requestTimeout?: number | undefined
}

/** The way to nodes over the platform's sockets. Does no work before it is dialled. */
export function createNodePort(
  platform: Pick<Platform, 'openSocket' | 'scheduler'>,
  { requestTimeout = 60_000 }: NodePortOptions = {},
): NodePort {
  const codec$ = createCodecs()
  const { scheduler } = platform
  return {
    dial: (endpoint) =>
      codec$(endpoint.encoding).pipe(
        switchMap((codec) =>
          openSocket$(platform, endpoint.url).pipe(
            map((socket) => createNodeConnection(socket, { endpoint, codec, scheduler, requestTimeout })),
          ),
        ),
      ),
  }
}

/**
 * Codecs are made at their first use and shared by all connections: they hold nothing but what they have learned. JSON is
 * for debugging, so its codec is not carried by who does not ask for it.
 */
function createCodecs(): (encoding: RpcEncoding) => Observable<WireCodec> {
  let borsh: WireCodec | undefined
  let json: Promise<WireCodec> | undefined
  const borshCodec = (): WireCodec => (borsh ??= createBorshCodec())
  const jsonCodec = (): Promise<WireCodec> =>
    (json ??= import('./json/codec.js').then(({ createJsonCodec }) =>
      understandingBorshNotifications(createJsonCodec(), borshCodec),
    ))
  return (encoding) => defer(() => (encoding === 'Borsh' ? of(borshCodec()) : jsonCodec()))
}
