import { finalize, map, share, type Observable } from 'rxjs'
import type { UtxoColumns } from '../../model/utxo-columns/columns.js'
import { toUtxoColumns } from '../../model/utxo-columns/records.js'
import { malformed, type NodeConnection } from '../../node/port.js'
import type { RpcRequest } from '../../node/messages/records.js'
import type { ToWorkerMap } from './messages.js'

/** The position of an event in the order of a socket's calls and of what was posted to tabs. */
export interface Order {
  next(): number
}

type Call = Pick<ToWorkerMap['call'], 'method' | 'format' | 'request'>

/** Calls of a node's socket: identical read-only ones in flight are sent once. */
export interface JoinedCalls {
  /** `since`: the position of the last message that was posted to the caller. */
  call$(call: Call, since: number): Observable<unknown>
}

interface InFlight {
  readonly sentAt: number
  readonly response$: Observable<unknown>
}

/**
 * A call joins another one only where its caller has received nothing since that was sent: the response may be of the
 * time right after it was sent, and the caller must not see a state older than one it has seen. A tab that subscribes
 * and then reads the chain would otherwise miss what changed in between.
 */
export function createJoinedCalls(connection: NodeConnection, order: Order): JoinedCalls {
  const inFlight = new Map<string, InFlight>()
  return {
    call$: (call, since) => {
      if (!isReadOnly(call.method)) return send$(connection, call)
      const key = toKey(call)
      const found = inFlight.get(key)
      if (found !== undefined && found.sentAt > since) return found.response$
      const one: InFlight = {
        sentAt: order.next(),
        response$: send$(connection, call).pipe(
          finalize(() => {
            if (inFlight.get(key) === one) inFlight.delete(key)
          }),
          share(),
        ),
      }
      inFlight.set(key, one)
      return one.response$
    },
  }
}

const isReadOnly = (method: string): boolean => /^(get|estimate)/.test(method)

const toKey = ({ method, format, request }: Call): string =>
  `${method} ${format} ${JSON.stringify(request, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))}`

/** Longer than any tab waits: its own deadline cancels the call. */
const TIMEOUT = { timeout: 86_400_000 }

type Addresses = RpcRequest<'getUtxosByAddresses'>

/** Also of a port that decodes only records. */
export const fetchColumns$ = (connection: NodeConnection, addresses: readonly string[]): Observable<UtxoColumns> =>
  connection.utxoColumns?.(addresses, TIMEOUT) ??
  connection.call('getUtxosByAddresses', { addresses }, TIMEOUT).pipe(
    map(({ entries }) => {
      const columns = toUtxoColumns(entries)
      if (columns === undefined) throw malformed('getUtxosByAddresses', 'an entry cannot exist')
      return columns
    }),
  )

export function send$(connection: NodeConnection, { method, format, request }: Call): Observable<unknown> {
  const any = request as never // the node's codec validates it
  if (format === 'columns') return fetchColumns$(connection, (request as Addresses).addresses)
  if (format === 'ids' && connection.chainIds !== undefined) return connection.chainIds(any, TIMEOUT)
  return connection.call(method, any, TIMEOUT)
}
