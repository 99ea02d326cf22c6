import { defer, map, of, take, type Observable, type SchedulerLike } from 'rxjs'
import type { NodeNotification, RpcMethod } from '../node/messages/records.js'
import type { Endpoint, NodePort } from '../node/port.js'
import {
  NO_CHECKS,
  createRecordChecks,
  createScriptedSocket,
  type Responders,
  type Respond,
  type ScriptedSocket,
} from './scripted-socket.js'
import { toServerInfo } from './fixtures/fixtures.js'

/** One call that the node received. */
export interface ScriptedCall {
  readonly method: RpcMethod
  readonly request: unknown
  readonly socket: ScriptedSocket
}

/** A node with scripted responses. It records its calls. */
export interface ScriptedNode extends NodePort {
  /** URLs dialled, in order, including failed dials. */
  readonly dialled: readonly string[]
  /** Opened sockets, in order; `status` is `open` or `closed`. */
  readonly sockets: readonly ScriptedSocket[]
  /** Received calls, in order. */
  readonly calls: readonly ScriptedCall[]
  /** Sets the result of later dials: they complete with the stream's first value, or fail with its error. */
  onDial(respond: (endpoint: Endpoint) => Observable<unknown>): void
  /** Sets the response to later calls of `method`. */
  respond<M extends RpcMethod>(method: M, respond: Respond<M>): void
  /** Sends a notification to every open socket that is subscribed to it. */
  notify(notification: NodeNotification): void
  /** Drops every open socket. */
  drop(reason?: string): void
}

export interface ScriptedNodeOptions {
  /** The scheduler of call timeouts; without it calls have none. */
  readonly scheduler?: SchedulerLike | undefined
  /** @default 'simnet' */
  readonly networkId?: string | undefined
  /** The first responses, by method; `respond` sets more. */
  readonly responses?: Responders | undefined
  /**
   * Rejects responses and notifications that no node could send: a call fails, and `notify` throws, with the field's
   * name. `false` sends short ids and incomplete records as they are. @default true
   */
  readonly validate?: boolean | undefined
}

/**
 * A synced 2.x node with a UTXO index. It responds to `getServerInfo`, with the last notified DAA score, `ping` and
 * subscriptions until more responses are set.
 */
export function createScriptedNode(options: ScriptedNodeOptions = {}): ScriptedNode {
  const { scheduler, networkId = 'simnet', validate = true } = options
  const dialled: string[] = []
  const sockets: ScriptedSocket[] = []
  const calls: ScriptedCall[] = []
  const checks = validate ? createRecordChecks() : NO_CHECKS
  const responders = { ...defaultResponders(networkId, () => daaScore), ...options.responses }
  let daaScore = 0n
  let onDialResponse: (endpoint: Endpoint) => Observable<unknown> = () => of(undefined)

  const open = (endpoint: Endpoint): ScriptedSocket => {
    const onCall = (socket: ScriptedSocket, method: RpcMethod, request: unknown): void => {
      calls.push({ method, request, socket })
    }
    const socket = createScriptedSocket({ endpoint, responders, onCall, checks, scheduler })
    sockets.push(socket)
    return socket
  }
  return {
    dialled,
    sockets,
    calls,
    onDial: (respond) => {
      onDialResponse = respond
    },
    respond: (method, respond) => {
      Object.assign(responders, { [method]: respond })
    },
    notify: (notification) => {
      checks.notification(notification)
      if (notification.type === 'virtual-daa-score-changed') daaScore = notification.data.virtualDaaScore
      sockets.forEach((socket) => socket.notify(notification))
    },
    drop: (reason) => sockets.forEach((socket) => socket.drop(reason)),
    dial: (endpoint) =>
      defer(() => {
        dialled.push(endpoint.url)
        return onDialResponse(endpoint)
      }).pipe(
        take(1),
        map(() => open(endpoint)),
      ),
  }
}

/** The responses of every scripted node. */
const defaultResponders = (networkId: string, daaScore: () => bigint): Responders => ({
  ping: () => ({}),
  subscribe: () => ({ id: 1n }),
  unsubscribe: () => ({}),
  getServerInfo: () => toServerInfo({ networkId, virtualDaaScore: daaScore() }),
})
