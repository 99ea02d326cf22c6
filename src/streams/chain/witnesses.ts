import { Subscription, catchError, defer, firstValueFrom, map, of, switchMap, timeout } from 'rxjs'
import { hostOf } from '../../model/ip.js'
import type { RpcMethod, RpcRequest, RpcResponse } from '../../node/messages/records.js'
import type { NodeConnection } from '../../node/port.js'
import { handshake$ } from '../session/handshake.js'
import type { NodeLink } from '../session/node-link.js'
import { createPageRequests, type PageRequests } from './page-requests.js'

/** Requests to one node. */
export interface NodeRequests extends PageRequests {
  /** Sends one request. Rejects with `ChainRpcError`. */
  call<M extends RpcMethod>(method: M, request: RpcRequest<M>): Promise<RpcResponse<M>>
}

/** A node that receives requests beside the connected one, on a connection of its own. */
export interface Witness extends NodeRequests {
  readonly url: string
}

/** Opens connections to the endpoints of other hosts than the connected one. */
export interface Witnesses {
  /** One by one, each while its turn is; those that cannot be reached are left out. */
  others(connectedUrl: string): AsyncGenerator<Witness, undefined, undefined>
}

export type WitnessDeps = Pick<NodeLink, 'platform' | 'target' | 'dial'>

/** How long, in ms, a connection and its handshake may take. */
const CONNECT_TIMEOUT = 10_000

/** Connections stay open for the next question, until `lifetime` ends. */
export function createWitnesses(node: WitnessDeps, lifetime: Subscription): Witnesses {
  const open = new Map<string, Witness>()

  async function openAt(url: string): Promise<Witness | null> {
    const known = open.get(url)
    if (known !== undefined) return known
    const connection = await firstValueFrom(connection$(node, url))
    if (connection === null) return null
    if (lifetime.closed) {
      connection.close()
      return null
    }
    const teardown = new Subscription(() => connection.close())
    teardown.add(connection.closed$.subscribe(() => open.delete(url)))
    lifetime.add(teardown)
    const witness = toWitness(url, connection)
    open.set(url, witness)
    return witness
  }

  return {
    async *others(connectedUrl) {
      const hosts = new Set([hostOf(connectedUrl)])
      for (const url of node.target().urls) {
        if (hosts.has(hostOf(url))) continue
        const witness = await openAt(url)
        if (witness === null) continue
        hosts.add(hostOf(url))
        yield witness
      }
      return undefined
    },
  }
}

/** An open connection to a node of the network; null where there is none within the timeout. */
const connection$ = (node: WitnessDeps, url: string) =>
  defer(() => node.dial(url)).pipe(
    switchMap((connection) =>
      handshake$(connection, node.target(), CONNECT_TIMEOUT).pipe(
        map(() => connection),
        catchError(() => {
          connection.close()
          return of(null)
        }),
      ),
    ),
    timeout({ first: CONNECT_TIMEOUT, scheduler: node.platform.scheduler }),
    catchError(() => of(null)),
  )

const toWitness = (url: string, connection: NodeConnection): Witness => ({
  url,
  call: (method, request) => firstValueFrom(connection.call(method, request)),
  ...createPageRequests((_, call) => firstValueFrom(call(connection))),
})
