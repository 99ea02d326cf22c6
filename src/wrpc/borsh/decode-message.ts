import { methodEntry, methodsByOp, notificationEntry, notificationsByKey } from '../../node/messages/lookup.js'
import type { NodeNotification, NotificationType, RpcMethod } from '../../node/messages/records.js'
import type { DecodedMessage, Frame, ResponseOf } from '../codec.js'
import { MalformedFrame, attempt, malformedError } from '../malformed.js'
import { errorOfVariant, hasWords, textError, type WireError } from '../wire-error.js'
import { Cursor } from './cursor.js'
import { ERROR, NOTIFICATION, SUCCESS } from './frames.js'
import type { HexText } from './hex-text.js'
import type { ReaderOf } from './read.js'

/** Makes the reader of what a node sends: answers, errors, notifications. */
export function createMessageReader(
  readerOf: ReaderOf,
  hexText: HexText,
): (frame: Frame, methodOf?: (id: bigint) => RpcMethod | undefined) => DecodedMessage {
  const methods = methodsByOp()
  const notifications = notificationsByKey()
  return (frame, methodOf) => {
    const cursor = new Cursor(typeof frame === 'string' ? new TextEncoder().encode(frame) : frame, hexText)
    const head = attempt(() => readHead(cursor))
    if ('malformed' in head) return unreadable(undefined, undefined, head.malformed)
    const { id, kind, op } = head.value
    const method = id === undefined ? undefined : (methodOf?.(id) ?? methods.get(op))
    const what = kind === NOTIFICATION ? notifications.get(op) : method
    const message = attempt(() =>
      kind === NOTIFICATION
        ? readNotification(cursor, notifications, readerOf)
        : readAnswer(cursor, head.value, method, readerOf),
    )
    return 'malformed' in message ? unreadable(id, what, message.malformed) : message.value
  }
}

interface Head {
  readonly id: bigint | undefined
  readonly kind: number
  /** -1 where the node left it out. */
  readonly op: number
}

function readHead(cursor: Cursor): Head {
  const id = cursor.bool() ? cursor.u64() : undefined
  const kind = cursor.u8()
  return { id, kind, op: cursor.bool() ? cursor.u8() : -1 }
}

/** A refusal is a success, to the envelope: only the byte behind it tells them apart. */
function readAnswer(
  cursor: Cursor,
  { id, kind }: Head,
  method: RpcMethod | undefined,
  readerOf: ReaderOf,
): DecodedMessage {
  if (id === undefined || (kind !== SUCCESS && kind !== ERROR)) throw new MalformedFrame(`A message of kind ${kind}`)
  if (kind === ERROR || !cursor.bool()) return { kind: 'error', id, error: readError(cursor, readerOf) }
  if (method === undefined) throw new MalformedFrame('The answer does not say to what')
  cursor.enter()
  const response = readerOf(methodEntry(method).response)(cursor)
  return { kind: 'response', id, method, response } as ResponseOf<RpcMethod>
}

function readError(cursor: Cursor, readerOf: ReaderOf): WireError {
  const variant = cursor.u8()
  return hasWords(variant) ? textError(String(readerOf('text')(cursor))) : errorOfVariant(variant)
}

function readNotification(
  cursor: Cursor,
  notifications: ReadonlyMap<string | number, NotificationType>,
  readerOf: ReaderOf,
): DecodedMessage {
  cursor.enter()
  cursor.u16() // a tag that means nothing yet
  const variant = cursor.u16()
  const type = notifications.get(variant)
  if (type === undefined) throw new MalformedFrame(`${variant} is no kind of notification`)
  cursor.enter()
  const data = readerOf(notificationEntry(type).data)(cursor)
  return { kind: 'notification', notification: { type, data } as NodeNotification }
}

function unreadable(id: bigint | undefined, what: string | undefined, malformed: MalformedFrame): DecodedMessage {
  return { kind: 'malformed', id, error: malformedError(what ?? 'message', malformed) }
}
