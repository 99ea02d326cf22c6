import { defer, map, of, switchMap, type Observable, ReplaySubject, Subject, type SchedulerLike } from 'rxjs'
import { loadCode, onceLoaded } from '../loading/load-code.js'
import type { RpcEncoding } from '../model/network.js'
import type { NodePort, ClosedReason, Endpoint, NodeConnection } from '../node/port.js'
import type { Platform } from '../platform/port.js'
import { createBorshClientCodec } from './borsh/client-codec.js'
import type { ClientCodec, Frame, DecodedMessage } from './codec.js'
import { openSocket$, webSocket, type FrameSocket } from './web-socket.js'
import type { ChainRpcError } from '../errors/rpc-error.js'
import type { NodeNotification } from '../node/messages/records.js'
import { connectionLost } from './wire-errors.js'
import { createPendingCalls } from './pending-calls.js'

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

interface NodeConnectionDeps<Frame> {
  readonly endpoint: Endpoint
  readonly codec: ClientCodec<Frame>
  readonly scheduler: SchedulerLike
  /** The default timeout of a call, ms. */
  readonly requestTimeout: number
}

/** A node connection over an open socket, which it owns and closes. */
export function createNodeConnection<Frame>(
  socket: FrameSocket<Frame>,
  deps: NodeConnectionDeps<Frame>,
): NodeConnection {
  const { endpoint, codec, scheduler, requestTimeout } = deps
  const { url } = endpoint
  const notifications$ = new Subject<NodeNotification>()
  const malformed$ = new Subject<ChainRpcError>()
  const closed$ = new ReplaySubject<ClosedReason>(1)
  let closedReason: ClosedReason | undefined
  const calls = createPendingCalls({
    codec,
    scheduler,
    url,
    send: (frame) => socket.send(frame),
    ...(socket.cancel && { cancel: (id) => socket.cancel?.(id) }),
    closedError: (method) => closedReason && connectionLost(method, url, closedReason),
  })

  const onFrame = (frame: Frame): void => {
    const message = decode(frame)
    if (message === undefined) return
    if (message.kind === 'notification') {
      calls.onNotification()
      notifications$.next(message.notification)
    } else if (message.id !== undefined) calls.settle(message.id, message)
    else if (message.kind === 'malformed') malformed$.next(message.error)
  }

  const close = (reason: ClosedReason): void => {
    if (closedReason !== undefined) return
    closedReason = reason
    socket.close()
    notifications$.complete()
    malformed$.complete()
    calls.failAll((method) => connectionLost(method, url, reason))
    closed$.next(reason)
    closed$.complete()
  }

  /** Undefined if the codec fails, which is an error of this library: the connection ends, the process does not. */
  const decode = (frame: Frame): DecodedMessage | undefined => {
    try {
      return codec.decodeMessage(frame, calls.methodOf, calls.formatOf)
    } catch (cause) {
      close({ reason: 'a message could not be decoded', cause })
      return undefined
    }
  }

  socket.attach({ onFrame, onClose: close })
  return {
    endpoint,
    call: (method, request, { timeout = requestTimeout } = {}) => calls.call(method, request, timeout),
    utxoColumns: (addresses, { timeout = requestTimeout } = {}) => calls.utxoColumns(addresses, timeout),
    ...(codec.encoding === 'Borsh' && {
      chainIds: (request, { timeout = requestTimeout } = {}) => calls.chainIds(request, timeout),
      chainBlocks: (request, { timeout = requestTimeout } = {}) => calls.chainBlocks(request, timeout),
    }),
    notifications$: notifications$.asObservable(),
    malformed$: malformed$.asObservable(),
    closed$: closed$.asObservable(),
    close: () => close(CLOSED),
  }
}

const CLOSED: ClosedReason = { reason: 'it was closed by the client' }

const OPENING_BRACE = 0x7b

/**
 * Nodes before 0.16 send responses to a JSON client in JSON, but notifications in Borsh, in binary messages. Without
 * this, a subscription to such a node succeeds and never emits.
 */
function withBorshNotifications(json: ClientCodec<Frame>, borsh: () => ClientCodec<Frame>): ClientCodec<Frame> {
  const isBorsh = (frame: Frame): boolean => typeof frame !== 'string' && frame[0] !== OPENING_BRACE
  return {
    ...json,
    decodeMessage: (frame, ...calls) => (isBorsh(frame) ? borsh() : json).decodeMessage(frame, ...calls),
  }
}
