import { ByteWriter } from '../../model/bytes.js'
import { isRpcMethod, methodEntry } from '../../node/messages/lookup.js'
import type { NotificationEntry } from '../../node/messages/notifications.js'
import type { Frame } from '../codec.js'
import { variantOf, type WireError } from '../wire-error.js'

/** The envelopes of Borsh: id, kind, operation, and the body with its length in front. */

/** The kind of a node's message: the byte after the id. */
export const SUCCESS = 0
export const ERROR = 1
export const NOTIFICATION = 0xff

type WriteBody = (writer: ByteWriter) => void

/** Encodes frames. They are assembled in one buffer and copied when complete. */
export interface Framer {
  request(id: bigint, op: number, writeBody: WriteBody): Frame
  response(id: bigint, op: number, writeBody: WriteBody): Frame
  error(id: bigint, method: string | undefined, error: WireError): Frame
  notification(entry: NotificationEntry, writeData: WriteBody): Frame
}

export function createFramer(): Framer {
  let buffer = new ByteWriter(BUFFER_SIZE)
  const frame = (write: WriteBody): Frame => {
    write(buffer.restart())
    const written = buffer.copied()
    if (written.length > BUFFER_SIZE) buffer = new ByteWriter(BUFFER_SIZE) // releases the memory of a large response
    return written
  }
  return {
    request: (id, op, writeBody) => frame((writer) => withBody(writer.u8(1).u64(id).u8(op), writeBody)),
    response: (id, op, writeBody) =>
      frame((writer) => withBody(writer.u8(1).u64(id).u8(SUCCESS).u8(1).u8(op).u8(1), writeBody)),
    error: (id, method, error) => frame((writer) => writeError(writer.u8(1).u64(id), method, error)),
    notification: ({ op, variant }, writeData) =>
      frame((writer) => {
        withBody(writer.u8(0).u8(NOTIFICATION).u8(1).u8(op), () => withBody(writer.u16(1).u16(variant), writeData))
      }),
  }
}

/** Initial buffer size, bytes: everything but blocks and long responses fits. */
const BUFFER_SIZE = 65_536

/** An application error is sent as a success message with an error result; every other error as an error message. */
function writeError(writer: ByteWriter, method: string | undefined, error: WireError): void {
  if (error.kind === 'text' && isRpcMethod(method)) writer.u8(SUCCESS).u8(1).u8(methodEntry(method).op).u8(0)
  else writer.u8(ERROR).u8(0)
  writer.u8(variantOf(error))
  if (error.kind !== 'text') return
  const message = new TextEncoder().encode(error.message)
  writer.u32(message.length).bytes(message)
}

/** Appends a body with its length in front. */
function withBody(writer: ByteWriter, writeBody: WriteBody): void {
  const start = writer.length
  writeBody(writer.u32(0))
  writer.overwriteU32(start, writer.length - start - 4)
}
