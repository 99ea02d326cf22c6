import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import type { RpcEncoding } from '../../src/model/network.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import type { Frame, RequestOf, WireCodec } from '../../src/wrpc/codec.js'
import { createJsonCodec } from '../../src/wrpc/json/codec.js'
import type { RpcMethod } from '../../src/node/messages/records.js'

/** Handles a request of a scripted node; the result is sent. */
export type Script = (request: RequestOf<RpcMethod>, client: WebSocket, codec: WireCodec) => Frame | undefined

export interface ScriptedNode {
  readonly url: string
  readonly codec: WireCodec
  /** The open sockets. */
  readonly clients: ReadonlySet<WebSocket>
  close(): Promise<void>
}

/** A server on a free port that runs the script over real sockets. */
export async function startScriptedNode(encoding: RpcEncoding, script: Script): Promise<ScriptedNode> {
  const codec = encoding === 'Borsh' ? createBorshCodec() : createJsonCodec()
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  server.on('connection', (client) => {
    client.on('message', (data: Buffer, isBinary: boolean) => {
      const request = codec.decodeRequest(isBinary ? Uint8Array.from(data) : data.toString())
      const reply = request.kind === 'request' ? script(request, client, codec) : undefined
      if (reply !== undefined) client.send(reply)
    })
  })
  return {
    url: `ws://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    codec,
    clients: server.clients,
    close: async () => {
      for (const client of server.clients) client.terminate()
      server.close()
      await once(server, 'close')
    },
  }
}
