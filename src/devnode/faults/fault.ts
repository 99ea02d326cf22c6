import type { NodeNotification, RpcMethod, RpcResponse } from '../../node/messages/records.js'
import type { Frame } from '../../wrpc/codec.js'
import type { WireError } from '../../wrpc/wire-errors.js'
import type { HttpRequest, HttpResponse } from '../http.js'
import type { Random, Timers } from '../machine.js'

/** What happens to a WebSocket handshake. `close`: completed, then cut. `hang`: no response, TCP stays open. */
export type HandshakeDecision =
  | { readonly kind: 'accept' | 'reset' | 'hang' | 'close' }
  | { readonly kind: 'status'; readonly status: number }
  /** `wait`: completed when the promise resolves. `mute`: completed at once, but frozen until then. */
  | { readonly kind: 'wait' | 'mute'; readonly until: Promise<void> }

/** Decisions that complete the handshake, now or later. */
export const COMPLETING: readonly HandshakeDecision['kind'][] = ['accept', 'wait', 'mute']

/** What happens to a call instead of its execution: an error, or the connection is cut. */
export type CallDecision = { readonly kind: 'refuse'; readonly error: WireError } | { readonly kind: 'cut' }

/** One message to a client. */
export interface OutgoingMessage {
  readonly frame: Frame
  /** The method that it replies to; undefined for a notification. */
  readonly replyTo: RpcMethod | undefined
  /** Milliseconds of latency. Later messages of the connection wait behind it. */
  readonly delay: number
  /** Milliseconds of delay during which later messages pass it. */
  readonly reorderDelay: number
  /** Throttled rate; undefined: sent at once. */
  readonly bytesPerSecond: number | undefined
}

/** Changes to responses, by method. */
type ResponseTransforms = { readonly [M in RpcMethod]?: (response: RpcResponse<M>) => RpcResponse<M> }

/** Responses that replace the execution of a call, by method. */
type ResponseStubs = { readonly [M in RpcMethod]?: () => RpcResponse<M> }

/**
 * The hooks of one fault. All are optional. Hooks of several active faults run in the order in which the faults began.
 */
export interface Fault {
  begin?(): void
  end?(): void
  handshake?(): HandshakeDecision
  call?(method: RpcMethod): CallDecision | undefined
  readonly stubs?: ResponseStubs
  readonly transforms?: ResponseTransforms
  /** The notifications of one ledger step to one connection. */
  notifications?(batch: readonly NodeNotification[]): readonly NodeNotification[]
  /** Replaces one message by none, an altered one or several. */
  outgoing?(message: OutgoingMessage): readonly OutgoingMessage[]
  /** A response that replaces the REST server's own. */
  rest?(request: HttpRequest): HttpResponse | undefined
}

/** What a fault can do to a client's connection. */
export interface FaultTarget {
  /** Ends the TCP connection without a close frame, as a real node does; the client sees 1006. */
  cut(): void
  /** A TCP reset. */
  reset(): void
  /** A close frame, as a proxy sends it. */
  close(code: number): void
  /** Stops reading and writing until `thaw` has been called as often. */
  freeze(): void
  thaw(): void
}

/** What a fault can use. */
export interface FaultContext {
  readonly random: Random
  readonly timers: Timers
  /** The connections that are open now. */
  targets(): readonly FaultTarget[]
  /** Pauses interval mining until `resumeMining` has been called as often. */
  pauseMining(): void
  resumeMining(): void
  /** Mines a block; clients are notified within the call. */
  mine(): void
  /** To be called each time the fault takes effect; ends the fault after `times` calls. */
  triggered(): void
}

export type FaultSettings = Readonly<Record<string, number | string>>

/** A kind of fault. */
export interface FaultKind<S extends FaultSettings = FaultSettings> {
  /** Its effect, in one sentence. */
  readonly about: string
  /** Every setting with its default. */
  readonly settings: S
  /** The allowed values of a setting. */
  readonly choices?: { readonly [K in keyof S]?: readonly S[K][] }
  /** It ends after triggering this often; 0: never by itself. @default 0 */
  readonly times?: number
  create(settings: S, context: FaultContext): Fault
}

/** Settings that every fault takes besides its own. */
export interface FaultSpan {
  /** Milliseconds after which it ends; 0: never. @default 0 */
  readonly for?: number
  /** It ends after triggering this often; 0: never. The default depends on the kind. */
  readonly times?: number
}

/** What a server can do with a client that requests a WebSocket. */
export interface Handshake {
  /** Whether the client has disconnected. */
  isEnded(): boolean
  /** Completes the handshake and calls `onOpen` with the connection. */
  complete(onOpen?: (client: FaultTarget) => void): void
  /** Ends the connection by a TCP reset. */
  reset(): void
  /** Responds with an HTTP status instead of the handshake. */
  refuse(status: number): void
  /** Keeps the connection without a response until the client ends it. */
  hang(): void
}

/** Completes or refuses a handshake as the faults have decided. */
export function applyHandshake(decision: HandshakeDecision, handshake: Handshake): void {
  switch (decision.kind) {
    case 'accept':
      handshake.complete()
      break
    case 'wait':
      void decision.until.then(() => handshake.isEnded() || handshake.complete())
      break
    case 'mute':
      handshake.complete((client) => {
        client.freeze()
        void decision.until.then(() => client.thaw())
      })
      break
    case 'close':
      handshake.complete((client) => client.cut())
      break
    case 'reset':
      handshake.reset()
      break
    case 'status':
      handshake.refuse(decision.status)
      break
    case 'hang':
      handshake.hang()
  }
}
