import { methodEntry, methodsByOp, notificationEntry, notificationsByKey } from '../../node/messages/lookup.js'
import type { NodeNotification, RpcMethod } from '../../node/messages/records.js'
import type { DecodedMessage, Frame, ResponseOf } from '../codec.js'
import { MalformedFrame, attempt, malformedError } from '../malformed.js'
import { errorOfVariant, hasWords, textError, type WireError } from '../wire-error.js'
import { Cursor } from './cursor.js'
import { ERROR, NOTIFICATION, SUCCESS } from './frames.js'
import type { HexText } from './hex-text.js'
import type { ReaderOf } from './read.js'

interface Head {
  readonly id: bigint | undefined
  readonly kind: number
  readonly op: number | undefined
}

/** Makes the reader of what a node sends: answers, errors, notifications. */
export function createMessageReader(
  readerOf: ReaderOf,
  hexText: HexText,
): (frame: Frame, methodOf?: (id: bigint) => RpcMethod | undefined) => DecodedMessage {
  const methods = methodsByOp()
  const notifications = notificationsByKey()

  const readResponse = (cursor: Cursor, id: bigint, method: RpcMethod | undefined): DecodedMessage => {
    if (!cursor.bool()) return { kind: 'error', id, error: readError(cursor, readerOf) }
    if (method === undefined) throw new MalformedFrame('The answer does not say to what')
    cursor.enter()
    const response = readerOf(methodEntry(method).response)(cursor)
    return { kind: 'response', id, method, response } as ResponseOf<RpcMethod>
  }

  const readNotification = (cursor: Cursor): DecodedMessage => {
    cursor.enter()
    cursor.u16()
    const variant = cursor.u16()
    const type = notifications.get(variant)
    if (type === undefined) throw new MalformedFrame(`${variant} is no kind of notification`)
    cursor.enter()
    const data = readerOf(notificationEntry(type).data)(cursor)
    return { kind: 'notification', notification: { type, data } as NodeNotification }
  }

  return (frame, methodOf) => {
    const cursor = new Cursor(typeof frame === 'string' ? new TextEncoder().encode(frame) : frame, hexText)
    const read = attempt(() => readHead(cursor))
    if ('malformed' in read) return unreadable(undefined, undefined, read.malformed)
    const { id, kind, op } = read.value
    const method = id === undefined ? undefined : (methodOf?.(id) ?? methods.get(op ?? -1))
    const message = attempt((): DecodedMessage => {
      if (kind === NOTIFICATION) return readNotification(cursor)
      if (id === undefined) throw new MalformedFrame('An answer without an id')
      if (kind === SUCCESS) return readResponse(cursor, id, method)
      if (kind === ERROR) return { kind: 'error', id, error: readError(cursor, readerOf) }
      throw new MalformedFrame(`${kind} is no kind of message`)
    })
    const what = kind === NOTIFICATION ? notifications.get(op ?? -1) : method
    return 'malformed' in message ? unreadable(id, what, message.malformed) : message.value
  }
}

function readHead(cursor: Cursor): Head {
  const id = cursor.bool() ? cursor.u64() : undefined
  const kind = cursor.u8()
  return { id, kind, op: cursor.bool() ? cursor.u8() : undefined }
}

function readError(cursor: Cursor, readerOf: ReaderOf): WireError {
  const variant = cursor.u8()
  return hasWords(variant) ? textError(String(readerOf('text')(cursor))) : errorOfVariant(variant)
}

function unreadable(id: bigint | undefined, what: string | undefined, malformed: MalformedFrame): DecodedMessage {
  return { kind: 'malformed', id, error: malformedError(what ?? 'message', malformed) }
}
