import { map } from 'rxjs'
import type { RpcEncoding } from '../model/network.js'
import type { NodePort } from '../node/port.js'
import type { Platform } from '../platform/port.js'
import { createBorshCodec } from './borsh/codec.js'
import type { WireCodec } from './codec.js'
import { createNodeConnection } from './connection.js'
import { createJsonCodec } from './json/codec.js'
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
  const codecOf = createCodecs()
  return {
    dial: (endpoint) =>
      openSocket$(platform, endpoint.url).pipe(
        map((socket) =>
          createNodeConnection(socket, {
            endpoint,
            codec: codecOf(endpoint.encoding),
            scheduler: platform.scheduler,
            requestTimeout,
          }),
        ),
      ),
  }
}

/** Codecs are made at their first use, and shared by all connections: they hold nothing but what they have learned. */
function createCodecs(): (encoding: RpcEncoding) => WireCodec {
  const made: Partial<Record<RpcEncoding, WireCodec>> = {}
  const borsh = (): WireCodec => (made.Borsh ??= createBorshCodec())
  const json = (): WireCodec => (made.SerdeJson ??= understandingBorshNotifications(createJsonCodec(), borsh))
  return (encoding) => (encoding === 'Borsh' ? borsh() : json())
}
