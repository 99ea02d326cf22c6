import {
  methodEntry,
  methodsByOp,
  notificationEntry,
  notificationsByKey,
  isRpcMethod,
} from '../../node/messages/lookup.js'
import type { ClientCodec, Frame, DecodedMessage, ResponseOf, WireCodec } from '../codec.js'
import { withRanges } from '../valid-values.js'
import { createAddressCoder, type AddressCoder } from './address-coder.js'
import { createHexText, type HexText, Cursor } from './cursor.js'
import { createReaders, type ReaderOf } from './read.js'
import { createChainReaders, type ChainReaders } from './read-chain-ids.js'
import { createScalarReaders, type ScalarReaders } from './scalars.js'
import { createUtxoColumnsReader, type ReadUtxoColumns } from './read-utxos.js'
import { createWriters, type WriterOf } from './write.js'
import type { NodeNotification, NotificationType, RpcMethod } from '../../node/messages/records.js'
import {
  MalformedFrame,
  attempt,
  malformedError,
  errorOfVariant,
  hasMessage,
  textError,
  type WireError,
  variantOf,
} from '../wire-errors.js'
import { ByteWriter } from '../../model/bytes.js'
import type { NotificationEntry } from '../../node/messages/notifications.js'

/** What both halves of the codec consist of, with its caches and its buffer. */
interface BorshParts {
  readonly scalars: ScalarReaders
  readonly writerOf: WriterOf
  readonly hexText: HexText
  readonly frame: WriteFrame
}

export function createBorshParts(addresses: AddressCoder = createAddressCoder()): BorshParts {
  return {
    scalars: createScalarReaders(addresses),
    writerOf: createWriters(addresses),
    hexText: createHexText(),
    frame: createFrameWriter(),
  }
}

/** The client's half of the Borsh codec, which is all that apps contain. */
export function createBorshClientCodec(parts: BorshParts = createBorshParts()): ClientCodec<Frame> {
  const { scalars, writerOf, hexText, frame } = parts
  const readerOf = createReaders(withRanges(scalars))
  const readColumns = createUtxoColumnsReader(scalars)
  const chain = createChainReaders(readerOf)
  return {
    encoding: 'Borsh',
    encodeRequest: (id, method, request) => {
      const entry = methodEntry(method)
      return frame((writer) =>
        writeRequest(writer, id, entry.op, (body) => writerOf(entry.request)(body, request, 'request')),
      )
    },
    decodeMessage: createMessageReader({ readerOf, readColumns, chain }, hexText),
  }
}

/** Creates the decoder of a node's messages: responses, errors, notifications. */
function createMessageReader(readers: ResponseReaders, hexText: HexText): WireCodec['decodeMessage'] {
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
interface ResponseReaders {
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

/** The envelopes of Borsh: id, kind, operation, and the body with its length in front. */

/** The kind of a node's message: the byte after the id. */
const SUCCESS = 0
const ERROR = 1
const NOTIFICATION = 0xff

type WriteBody = (writer: ByteWriter) => void

/** Assembles a frame in one buffer and copies it when it is complete. */
type WriteFrame = (write: WriteBody) => Frame

function createFrameWriter(): WriteFrame {
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

const writeRequest = (writer: ByteWriter, id: bigint, op: number, writeBody: WriteBody): void =>
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
