import { methodEntry, methodsByOp, notificationEntry, notificationsByKey } from '../../node/messages/lookup.js'
import type { NodeNotification, NotificationType, RpcMethod } from '../../node/messages/records.js'
import type { DecodedMessage, ResponseOf, WireCodec } from '../codec.js'
import { MalformedFrame, attempt, malformedError } from '../malformed.js'
import { errorOfVariant, hasMessage, textError, type WireError } from '../wire-error.js'
import { Cursor } from './cursor.js'
import { ERROR, NOTIFICATION, SUCCESS } from './frames.js'
import type { HexText } from './hex-text.js'
import type { ReaderOf } from './read.js'
import type { ChainReaders } from './read-chain-ids.js'
import type { ReadUtxoColumns } from './read-utxo-columns.js'

/** Creates the decoder of a node's messages: responses, errors, notifications. */
export function createMessageReader(readers: ResponseReaders, hexText: HexText): WireCodec['decodeMessage'] {
  const { readerOf } = readers
  const methods = methodsByOp()
  const notifications = notificationsByKey()
  return (frame, methodOf, formatOf) => {
    const cursor = new Cursor(typeof frame === 'string' ? new TextEncoder().encode(frame) : frame, hexText)
    const head = attempt(() => readHead(cursor))
    if ('malformed' in head) return unreadable(undefined, undefined, head.malformed)
    const { id, kind, op } = head.value
    const method = id === undefined ? undefined : (methodOf?.(id) ?? methods.get(op))
    const what = kind === NOTIFICATION ? notifications.get(op) : method
    const message = attempt(() =>
      kind === NOTIFICATION
        ? readNotification(cursor, notifications, readerOf)
        : readReply(cursor, head.value, readerOf, (id) => {
            const format = formatOf?.(id) ?? 'record'
            if (format === 'ids') return { kind: 'ids', id, page: readers.chain.readIds(cursor) }
            if (format === 'blocks') return { kind: 'blocks', id, page: readers.chain.readBlocks(cursor) }
            if (format === 'record') return readResponse(cursor, id, method, readerOf)
            return { kind: 'columns', id, columns: readers.readColumns(withOwnBytes(cursor, hexText)) }
          }),
    )
    return 'malformed' in message ? unreadable(id, what, message.malformed) : message.value
  }
}

/** The readers of each format of a response. */
export interface ResponseReaders {
  readonly readerOf: ReaderOf
  readonly readColumns: ReadUtxoColumns
  readonly chain: ChainReaders
}

interface Head {
  readonly id: bigint | undefined
  readonly kind: number
  /** -1 if the node omits it. */
  readonly op: number
}

function readHead(cursor: Cursor): Head {
  const id = cursor.bool() ? cursor.u64() : undefined
  const kind = cursor.u8()
  return { id, kind, op: cursor.bool() ? cursor.u8() : -1 }
}

/** An application error has the kind of a success; the next byte distinguishes them. */
function readReply(
  cursor: Cursor,
  { id, kind }: Head,
  readerOf: ReaderOf,
  readBody: (id: bigint) => DecodedMessage,
): DecodedMessage {
  if (id === undefined || (kind !== SUCCESS && kind !== ERROR)) throw new MalformedFrame(`Unexpected kind ${kind}`)
  if (kind === ERROR || !cursor.bool()) return { kind: 'error', id, error: readError(cursor, readerOf) }
  cursor.enter()
  return readBody(id)
}

function readResponse(cursor: Cursor, id: bigint, method: RpcMethod | undefined, readerOf: ReaderOf): DecodedMessage {
  if (method === undefined) throw new MalformedFrame('The response names no method')
  const response = readerOf(methodEntry(method).response)(cursor)
  return { kind: 'response', id, method, response } as ResponseOf<RpcMethod>
}

/** Bytes of a frame that are decoded in its handler, in the first step. */
const MAX_FIRST_STEP = 2 ** 20

/** The cursor with a copy of the bytes, where they are decoded later and the socket may reuse their memory. */
function withOwnBytes(cursor: Cursor, hexText: HexText): Cursor {
  const { bytes, at, end } = cursor
  if (bytes.length <= MAX_FIRST_STEP || bytes.length === bytes.buffer.byteLength) return cursor
  return Object.assign(new Cursor(bytes.slice(), hexText), { at, end })
}

function readError(cursor: Cursor, readerOf: ReaderOf): WireError {
  const variant = cursor.u8()
  return hasMessage(variant) ? textError(String(readerOf('text')(cursor))) : errorOfVariant(variant)
}

function readNotification(
  cursor: Cursor,
  notifications: ReadonlyMap<string | number, NotificationType>,
  readerOf: ReaderOf,
): DecodedMessage {
  cursor.enter()
  cursor.u16() // the tag has no meaning yet
  const variant = cursor.u16()
  const type = notifications.get(variant)
  if (type === undefined) throw new MalformedFrame(`Unknown notification ${variant}`)
  cursor.enter()
  const data = readerOf(notificationEntry(type).data)(cursor)
  return { kind: 'notification', notification: { type, data } as NodeNotification }
}

function unreadable(id: bigint | undefined, what: string | undefined, malformed: MalformedFrame): DecodedMessage {
  return { kind: 'malformed', id, error: malformedError(what ?? 'message', malformed) }
}
