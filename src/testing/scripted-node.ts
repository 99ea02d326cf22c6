import { defer, map, of, take, type Observable, type SchedulerLike } from 'rxjs'
import type { NodeNotification, RpcMethod } from '../node/messages/records.js'
import type { Endpoint, NodePort } from '../node/port.js'
import { createScriptedSocket, type Answers, type Respond, type ScriptedSocket } from './scripted-socket.js'

/** One call that reached the node. */
export interface ScriptedCall {
  readonly method: RpcMethod
  readonly request: unknown
  readonly socket: ScriptedSocket
}

/** A node whose every word a test has written. It remembers what it was asked. */
export interface ScriptedNode extends NodePort {
  /** URLs dialled, in order, whatever became of it. */
  readonly dialled: readonly string[]
  /** Sockets that were opened, in order; their `status` tells which still are. */
  readonly sockets: readonly ScriptedSocket[]
  /** Calls that reached it, in order. */
  readonly calls: readonly ScriptedCall[]
  /** From now on, dials wait for the first value of this stream, or fail with its error. */
  onDial(respond: (endpoint: Endpoint) => Observable<unknown>): void
  /** From now on, calls of `method` are answered so. */
  answer<M extends RpcMethod>(method: M, respond: Respond<M>): void
  /** Tells every open socket, as far as it is subscribed. */
  notify(notification: NodeNotification): void
  /** Ends every open socket. */
  drop(reason?: string): void
}

export interface ScriptedNodeOptions {
  /** Where the deadlines of calls run; without it calls have none. */
  readonly scheduler?: SchedulerLike | undefined
  /** @default 'simnet' */
  readonly networkId?: string | undefined
}

/** A node of generation 2.x, synced, with a UTXO index, that knows nothing beyond that until it is told. */
export function createScriptedNode({ scheduler, networkId = 'simnet' }: ScriptedNodeOptions = {}): ScriptedNode {
  const dialled: string[] = []
  const sockets: ScriptedSocket[] = []
  const calls: ScriptedCall[] = []
  const answers = toBasicAnswers(networkId)
  let toOpening: (endpoint: Endpoint) => Observable<unknown> = () => of(undefined)

  const open = (endpoint: Endpoint): ScriptedSocket => {
    const onCall = (socket: ScriptedSocket, method: RpcMethod, request: unknown): void => {
      calls.push({ method, request, socket })
    }
    const socket = createScriptedSocket({ endpoint, answers, onCall, scheduler })
    sockets.push(socket)
    return socket
  }
  return {
    dialled,
    sockets,
    calls,
    onDial: (respond) => {
      toOpening = respond
    },
    answer: (method, respond) => {
      Object.assign(answers, { [method]: respond })
    },
    notify: (notification) => sockets.forEach((socket) => socket.notify(notification)),
    drop: (reason) => sockets.forEach((socket) => socket.drop(reason)),
    dial: (endpoint) =>
      defer(() => {
        dialled.push(endpoint.url)
        return toOpening(endpoint)
      }).pipe(
        take(1),
        map(() => open(endpoint)),
      ),
  }
}

/** What every node can say. */
const toBasicAnswers = (networkId: string): Answers => ({
  ping: () => of({}),
  subscribe: () => of({ id: 1n }),
  unsubscribe: () => of({}),
  getServerInfo: () =>
    of({
      rpcApiVersion: 1,
      rpcApiRevision: 0,
      serverVersion: '2.1.0',
      networkId,
      hasUtxoIndex: true,
      isSynced: true,
      virtualDaaScore: 0n,
    }),
})
