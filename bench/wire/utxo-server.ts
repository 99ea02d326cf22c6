import { once } from 'node:events'
import { WebSocketServer, type WebSocket } from 'ws'
import type { NodeNotification, RpcMethod, RpcResponse } from '../../src/node/messages/records.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import type { Frame, WireCodec } from '../../src/wrpc/codec.js'
import { FEE_ESTIMATE, HANDSHAKE_RESPONSES, type Responses } from './handshake.js'

const RESPONSES: Responses = { ...HANDSHAKE_RESPONSES, getFeeEstimate: FEE_ESTIMATE }

export interface UtxoServer {
  readonly url: string
  /** Sends a notification to all clients. */
  readonly notify: (notification: NodeNotification) => void
  readonly close: () => void
}

/** Starts a server in this process that responds with the UTXOs of the requested addresses. Encodes each response. */
export async function startUtxoServer(codec: WireCodec, entries: readonly UtxoEntry[]): Promise<UtxoServer> {
  const byAddress = groupByAddress(entries)
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  server.on('connection', (socket: WebSocket) => {
    socket.on('message', (data: Buffer, isBinary) => {
      socket.send(respond(isBinary ? Uint8Array.from(data) : data.toString()))
    })
  })
  await once(server, 'listening')

  function respond(frame: Frame): Frame {
    const decoded = codec.decodeRequest(frame)
    if (decoded.kind !== 'request') throw new Error(`Expected a request, got ${decoded.kind}`)
    const { id, method } = decoded
    if (decoded.method !== 'getUtxosByAddresses') return codec.encodeResponse(id, method, prepared(method))
    const requested = decoded.request.addresses.flatMap((address) => byAddress.get(address) ?? [])
    return codec.encodeResponse(id, 'getUtxosByAddresses', { entries: requested })
  }
  return {
    url: `ws://127.0.0.1:${String((server.address() as { port: number }).port)}`,
    notify: (notification) => {
      const frame = codec.encodeNotification(notification)
      for (const client of server.clients) client.send(frame)
    },
    close: () => {
      for (const client of server.clients) client.terminate()
      server.close()
    },
  }
}

function prepared<M extends RpcMethod>(method: M): RpcResponse<M> {
  const response = RESPONSES[method]
  if (response === undefined) throw new Error(`No response for ${method}`)
  return response
}

function groupByAddress(entries: readonly UtxoEntry[]): ReadonlyMap<string, readonly UtxoEntry[]> {
  const groups = new Map<string, UtxoEntry[]>()
  for (const entry of entries) {
    const group = groups.get(entry.address ?? '') ?? []
    group.push(entry)
    groups.set(entry.address ?? '', group)
  }
  return groups
}
