import { ByteWriter } from '../../model/bytes.js'
import { isRpcMethod, methodEntry } from '../../node/messages/lookup.js'
import type { NotificationEntry } from '../../node/messages/notifications.js'
import type { Frame } from '../codec.js'
import { variantOf, type WireError } from '../wire-error.js'

/** The envelopes of Borsh: id, kind, operation, and the body with its length in front. */

/** What the byte after the id of a node's message says. */
export const SUCCESS = 0
export const ERROR = 1
export const NOTIFICATION = 0xff

type WriteBody = (writer: ByteWriter) => void

/** Makes frames. They are put together in one place, and copied from there when they are whole. */
export interface Framer {
  request(id: bigint, op: number, writeBody: WriteBody): Frame
  response(id: bigint, op: number, writeBody: WriteBody): Frame
  error(id: bigint, method: string | undefined, error: WireError): Frame
  notification(entry: NotificationEntry, writeData: WriteBody): Frame
}

export function createFramer(): Framer {
  let desk = new ByteWriter(DESK)
  const frame = (write: WriteBody): Frame => {
    write(desk.restart())
    const written = desk.copied()
    if (written.length > DESK) desk = new ByteWriter(DESK) // the room of one large answer is not held for ever
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

/** How large the place is where frames are put together, bytes: all but blocks and long answers fit. */
const DESK = 65_536

/** A refusal travels in a message of success, as the result of its method; all other errors in a message of their own. */
function writeError(writer: ByteWriter, method: string | undefined, error: WireError): void {
  if (error.kind === 'text' && isRpcMethod(method)) writer.u8(SUCCESS).u8(1).u8(methodEntry(method).op).u8(0)
  else writer.u8(ERROR).u8(0)
  writer.u8(variantOf(error))
  if (error.kind !== 'text') return
  const words = new TextEncoder().encode(error.message)
  writer.u32(words.length).bytes(words)
}

/** Appends a body with its length in front. */
function withBody(writer: ByteWriter, writeBody: WriteBody): void {
  const start = writer.length
  writeBody(writer.u32(0))
  writer.overwriteU32(start, writer.length - start - 4)
}
