import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import errors from '../../../fixtures/node-2.1.0/errors.json'
import { fromHex, toHex } from '../../../../src/model/hex.js'
import type { DecodedMessage, Frame } from '../../../../src/wrpc/codec.js'
import type { NodeUnderTest } from '../support/node-under-test.js'

type Recorded = (typeof errors.malformed)[number]

/** Replays the recorded malformed requests. */
export function malformedRequests(node: NodeUnderTest): void {
  const encoding = node.encoding === 'Borsh' ? 'borsh' : 'json'
  describe('a malformed request', () => {
    for (const recorded of errors.malformed.filter((one) => one.encoding === encoding)) {
      it(`"${recorded.name}": ${toSentence(recorded)}`, async () => {
        const { replies, isAlive } = await send(node, recorded)
        expect(replies.map((reply) => outline(node, reply))).toEqual(
          recorded.responses.map((one) => outline(node, read(one, encoding))),
        )
        expect(isAlive).toBe(recorded.aliveAfter === true)
      })
    }
  })
}

const toSentence = ({ closed, responses }: Recorded): string =>
  closed !== null ? 'drops the connection' : responses.length === 0 ? 'is ignored' : 'gets a response'

/** Sends the frame on a separate connection, then a ping whose response ends the wait. */
async function send(node: NodeUnderTest, recorded: Recorded) {
  const socket = new WebSocket(node.url)
  await once(socket, 'open')
  const replies: Frame[] = []
  const ended = once(socket, 'close').then(([code]) => expect(code).toBe(1006))
  const pong = new Promise<void>((resolve) => {
    socket.on('message', (data: Buffer, isBinary) => {
      const frame = isBinary ? Uint8Array.from(data) : data.toString('utf8')
      const message = node.codec.decodeMessage(frame, () => 'ping')
      if (message.kind === 'response' && message.id === LAST_PING) resolve()
      else replies.push(frame)
    })
  })
  socket.send(toData(recorded), { binary: recorded.requestKind === 'binary' })
  socket.send(node.codec.encodeRequest(LAST_PING, 'ping', {}))
  const isAlive = await Promise.race([pong.then(() => true), ended.then(() => false)])
  socket.terminate()
  return { replies, isAlive }
}

const LAST_PING = 424_242n

/** The recording of a long message is truncated and ends with its length. */
function toData({ encoding, request, requestKind, name }: Recorded): Buffer {
  const length = /… \((\d+) bytes\)$/.exec(request)?.[1]
  if (length !== undefined) {
    const [head, tail] = ['{"id":5,"method":"ping","params":{}, "x":"', '"}']
    return Buffer.from(head + 'a'.repeat(Number(length) - head.length - tail.length) + tail)
  }
  const isHex = requestKind === 'binary' || (encoding === 'borsh' && name === 'a valid request in a text frame')
  return isHex || encodesBytes(name) ? Buffer.from(fromHex(request)) : Buffer.from(request)
}

/** Invalid UTF-8 is recorded as hex. */
const encodesBytes = (name: string): boolean => name === 'invalid UTF-8 in a text frame'

const read = (recorded: string, encoding: string): Frame => (encoding === 'borsh' ? fromHex(recorded) : recorded)

/** What is equal on every node: the id and the whole error; of a success only its kind. */
function outline(node: NodeUnderTest, frame: Frame): unknown {
  const message: DecodedMessage = node.codec.decodeMessage(frame, () => 'ping')
  if (message.kind === 'error') return typeof frame === 'string' ? frame : toHex(frame)
  return message.kind === 'notification' ? message : { kind: 'success', id: message.id }
}
