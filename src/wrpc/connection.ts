import { ReplaySubject, Subject, type SchedulerLike } from 'rxjs'
import type { ChainRpcError } from '../errors/rpc-error.js'
import type { NodeNotification } from '../node/messages/records.js'
import type { ClosedReason, Endpoint, NodeConnection } from '../node/port.js'
import { connectionLost } from './call-errors.js'
import type { ClientCodec, DecodedMessage } from './codec.js'
import { createPendingCalls } from './pending-calls.js'
import type { FrameSocket } from './web-socket.js'

export interface NodeConnectionDeps<Frame> {
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
