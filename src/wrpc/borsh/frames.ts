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

export function requestFrame(id: bigint, op: number, writeBody: WriteBody): Frame {
  return withBody(new ByteWriter().u8(1).u64(id).u8(op), writeBody)
}

export function responseFrame(id: bigint, op: number, writeBody: WriteBody): Frame {
  return withBody(new ByteWriter().u8(1).u64(id).u8(SUCCESS).u8(1).u8(op).u8(1), writeBody)
}

/** A refusal travels in a message of success, as the result of its method; all other errors in a message of their own. */
export function errorFrame(id: bigint, method: string | undefined, error: WireError): Frame {
  const writer = new ByteWriter().u8(1).u64(id)
  if (error.kind === 'text' && isRpcMethod(method)) writer.u8(SUCCESS).u8(1).u8(methodEntry(method).op).u8(0)
  else writer.u8(ERROR).u8(0)
  writer.u8(variantOf(error))
  if (error.kind !== 'text') return writer.written()
  const words = new TextEncoder().encode(error.message)
  return writer.u32(words.length).bytes(words).written()
}

export function notificationFrame({ op, variant }: NotificationEntry, writeData: WriteBody): Frame {
  return withBody(new ByteWriter().u8(0).u8(NOTIFICATION).u8(1).u8(op), (writer) => {
    withBody(writer.u16(1).u16(variant), writeData)
  })
}

/** Appends a body with its length in front. */
function withBody(writer: ByteWriter, writeBody: WriteBody): Frame {
  const start = writer.length
  writeBody(writer.u32(0))
  return writer.overwriteU32(start, writer.length - start - 4).written()
}
