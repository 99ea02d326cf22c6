import { firstValueFrom, type Observable } from 'rxjs'
import { afterEach, describe, expect, it } from 'vitest'
import type { RpcEncoding } from '../../src/model/network.js'
import type { NodeConnection } from '../../src/node/port.js'
import { createServerPlatform } from '../../src/platform/detect.js'
import { createNodePort, type NodePortOptions, createNodeConnection } from '../../src/wrpc/client.js'
import type { Frame, WireCodec } from '../../src/wrpc/codec.js'
import { webSocket } from '../../src/wrpc/web-socket.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { startRawServer, type RawServer } from '../platform/raw-server.js'
import { scriptedSocket } from '../wrpc/scripted-socket.js'

let server: RawServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

/** The header of a frame that announces `length` bytes, and one byte of them. */
function header(encoding: RpcEncoding, length: number): Buffer {
  const bytes = Buffer.alloc(11, 'x')
  bytes.writeUInt8(encoding === 'Borsh' ? 0x82 : 0x81, 0)
  bytes.writeUInt8(127, 1)
  bytes.writeBigUInt64BE(BigInt(length), 2)
  return bytes
}

/** A connection to a server that sends these bytes after the handshake. */
async function connect(encoding: RpcEncoding, bytes: Buffer, options?: NodePortOptions): Promise<NodeConnection> {
  server = await startRawServer((connection) => setImmediate(() => connection.write(bytes)))
  return firstValueFrom(createNodePort(createServerPlatform(), options).dial({ url: server.url, encoding }))
}

const failure = (source$: Observable<unknown>): Promise<unknown> =>
  firstValueFrom(source$).catch((error: unknown) => error)

describe.each<RpcEncoding>(['Borsh', 'SerdeJson'])('A1: a frame above maxFrameSize, in %s', (encoding) => {
  it('ends the connection at its header, by default above 500 MiB', async () => {
    const connection = await connect(encoding, header(encoding, 500 * 2 ** 20 + 1))
    const call = failure(connection.call('ping', {}))
    expect(await firstValueFrom(connection.closed$)).toMatchObject({
      reason: 'it sent a message longer than maxFrameSize, 524288000 bytes',
    })
    expect(await call).toMatchObject({
      name: 'ChainRpcError',
      code: 'connection-lost',
      argument: 'maxFrameSize',
      hint: 'Raise maxFrameSize, or request less at a time.',
    })
  })

  it('ends the connection at the length of the option', async () => {
    const connection = await connect(encoding, header(encoding, 1_025), { maxFrameSize: 1_024 })
    expect(await firstValueFrom(connection.closed$)).toMatchObject({
      reason: 'it sent a message longer than maxFrameSize, 1024 bytes',
    })
  })

  it('ends the connection where the platform has received it, as in a browser', async () => {
    const { socket, connection } = overScriptedSocket()
    const data = encoding === 'Borsh' ? new Uint8Array(101) : 'x'.repeat(101)
    socket.onmessage?.({ data })
    expect(await firstValueFrom(connection.closed$)).toEqual({
      code: 1009,
      reason: 'it sent a message longer than maxFrameSize, 100 bytes',
    })
    expect(socket.closed).toBe(true)
  })
})

describe('A1: an exception of the codec', () => {
  it('ends the connection and is not thrown', async () => {
    const broken: WireCodec = {
      ...createBorshCodec(),
      decodeMessage: (_: Frame) => {
        throw new TypeError('a defect')
      },
    }
    const { socket, connection } = overScriptedSocket(broken)
    expect(() => socket.onmessage?.({ data: Uint8Array.of(1) })).not.toThrow()
    expect(await firstValueFrom(connection.closed$)).toMatchObject({ reason: 'a message could not be decoded' })
  })
})

function overScriptedSocket(codec = createBorshCodec()) {
  const socket = scriptedSocket()
  socket.open()
  const { scheduler } = createServerPlatform()
  const endpoint = { url: 'ws://node', encoding: codec.encoding }
  const connection = createNodeConnection(webSocket(socket, 100), {
    endpoint,
    codec,
    scheduler,
    requestTimeout: 1_000,
  })
  return { socket, connection }
}
