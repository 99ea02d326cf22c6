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

/** Assembles a frame in one buffer and copies it when it is complete. */
export type WriteFrame = (write: WriteBody) => Frame

export function createFrameWriter(): WriteFrame {
  let buffer = new ByteWriter(BUFFER_SIZE)
  return (write) => {
    write(buffer.restart())
    const written = buffer.copied()
    if (written.length > BUFFER_SIZE) buffer = new ByteWriter(BUFFER_SIZE) // releases the memory of a large response
    return written
  }
}

/** Initial buffer size, bytes: everything but blocks and long responses fits. */
const BUFFER_SIZE = 65_536

export const writeRequest = (writer: ByteWriter, id: bigint, op: number, writeBody: WriteBody): void =>
  withBody(writer.u8(1).u64(id).u8(op), writeBody)

export const writeResponse = (writer: ByteWriter, id: bigint, op: number, writeBody: WriteBody): void =>
  withBody(writer.u8(1).u64(id).u8(SUCCESS).u8(1).u8(op).u8(1), writeBody)

export function writeNotification(writer: ByteWriter, { op, variant }: NotificationEntry, writeData: WriteBody): void {
  withBody(writer.u8(0).u8(NOTIFICATION).u8(1).u8(op), () => withBody(writer.u16(1).u16(variant), writeData))
}

/** An application error is sent as a success message with an error result; every other error as an error message. */
export function writeError(writer: ByteWriter, id: bigint, method: string | undefined, error: WireError): void {
  writer.u8(1).u64(id)
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
