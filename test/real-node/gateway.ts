import type { WebSocket } from 'ws'
import type { RpcMethod } from '../../src/node/messages/records.js'
import { transactionId } from '../../src/model/transaction-id.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { textError } from '../../src/wrpc/wire-errors.js'
import { startWireProxy, type ProxiedConnection } from './wire-proxy.js'

/**
 * What a gateway does with a submission. `swallow`: neither the node nor the client gets anything. `drop-reply`: the
 * node gets it. `repeat`: the node gets it twice, and the client the second reply. A function refuses it in the words
 * of a node, which never gets it.
 */
export type Handling = 'forward' | 'swallow' | 'drop-reply' | 'repeat' | ((id: string) => string)

/** A gateway in front of a node. Borsh. */
export interface Gateway {
  readonly url: string
  /** How submissions are handled from now on. */
  handle(next: () => Handling): void
  /** How many submissions were not just forwarded, since `handle`. */
  handled(): number
  close(): Promise<void>
}

const codec = createBorshCodec()

/** Opens a gateway to a node. */
export async function startGateway(nodeUrl: string): Promise<Gateway> {
  let next = (): Handling => 'forward'
  let count = 0
  const take = (): Handling => {
    const handling = next()
    if (handling !== 'forward') count++
    return handling
  }
  const { url, close } = await startWireProxy(nodeUrl, (client) => serve(client, take))
  return {
    url,
    handle(handling) {
      count = 0
      next = handling
    },
    handled: () => count,
    close,
  }
}

function serve(client: WebSocket, take: () => Handling): ProxiedConnection {
  /** The requests whose next reply the client does not get. */
  const dropped = new Map<bigint, RpcMethod>()
  return {
    fromClient(data, forward) {
      const call = codec.decodeRequest(new Uint8Array(data))
      const isSubmission =
        call.kind === 'request' &&
        (call.method === 'submitTransaction' || call.method === 'submitTransactionReplacement')
      const handling = isSubmission ? take() : 'forward'
      if (!isSubmission || handling === 'forward') {
        forward(data)
        return
      }
      if (handling === 'swallow') return
      if (typeof handling === 'function') {
        const id = transactionId(call.request.transaction)
        client.send(codec.encodeError(call.id, call.method, textError(`Rejected transaction ${id}: ${handling(id)}`)))
        return
      }
      dropped.set(call.id, call.method)
      forward(data)
      if (handling === 'repeat') forward(data)
    },
    fromNode(data) {
      const message =
        dropped.size === 0 ? undefined : codec.decodeMessage(new Uint8Array(data), (id) => dropped.get(id))
      const id = message !== undefined && 'id' in message ? message.id : undefined
      return id === undefined || !dropped.delete(id) ? data : undefined
    },
  }
}
