import { methodEntry, isRpcMethod, notificationEntry, notificationsByKey } from '../../node/messages/lookup.js'
import type { ClientCodec, Frame, DecodedMessage, ResponseFormat, ResponseOf, WireCodec } from '../codec.js'
import { writeEnvelope, cutList, openEnvelope, type Envelope, asArray, asObject } from './message-text.js'
import { createReaders, type ReaderOf } from './read.js'
import { createScalarReaders } from './scalars.js'
import { createUtxoColumnsReader, type ReadUtxoColumns } from './read-utxos.js'
import { createWriters } from './write.js'
import type { NodeNotification, NotificationType, RpcMethod } from '../../node/messages/records.js'
import { MalformedFrame, attempt, malformedError, errorOfMessage } from '../wire-errors.js'

/** The client's half of the JSON codec, which is all that apps contain. */
export function createJsonClientCodec(): ClientCodec<Frame> {
  const writerOf = createWriters('client')
  return {
    encoding: 'SerdeJson',
    encodeRequest: (id, method, request) =>
      writeEnvelope(id, method, `"params":${writerOf(methodEntry(method).request)(request, 'request')}`),
    decodeMessage: createMessageReader(createReaders('node'), createUtxoColumnsReader(createScalarReaders('node'))),
  }
}

/** Creates the decoder of a node's messages: responses, errors, notifications. */
function createMessageReader(readerOf: ReaderOf, readColumns: ReadUtxoColumns): WireCodec['decodeMessage'] {
  const notifications = notificationsByKey()
  return (frame, methodOf, formatOf) => {
    const inParts = formatOf && readParts(frame, formatOf, readColumns)
    if (inParts !== undefined) return inParts
    const opened = attempt(() => openEnvelope(frame))
    if ('malformed' in opened) return unreadable(undefined, undefined, opened.malformed)
    const { id, content } = opened.value
    if (id === undefined) return readNotification(content.params, notifications, readerOf)
    const method = methodOf?.(id) ?? (isRpcMethod(content.method) ? content.method : undefined)
    const isColumns = formatOf?.(id) === 'columns'
    const reply = attempt(() =>
      readReply(id, content, (params) =>
        isColumns
          ? { kind: 'columns', id, columns: readColumns.ofResponse(params) }
          : readResponse(id, method, params, readerOf),
      ),
    )
    return 'malformed' in reply ? unreadable(id, method, reply.malformed) : reply.value
  }
}

/** A long response to be decoded into columns, which are parsed in parts; undefined for any other message. */
function readParts(
  frame: Frame,
  formatOf: (id: bigint) => ResponseFormat,
  readColumns: ReadUtxoColumns,
): DecodedMessage | undefined {
  const message = typeof frame === 'string' ? cutList(frame) : undefined
  if (message === undefined) return undefined
  const opened = attempt(() => {
    const { id, content } = openEnvelope(message.rest)
    const isSuccess = content.error === undefined || content.error === null
    return { id, isCut: isSuccess && asArray(asObject(content.params).entries).length === 0 }
  })
  if ('malformed' in opened) return undefined
  const { id, isCut } = opened.value
  return isCut && id !== undefined && formatOf(id) === 'columns'
    ? { kind: 'columns', id, columns: readColumns.ofText(message) }
    : undefined
}

function readReply(
  id: bigint,
  { error, params }: Envelope['content'],
  readBody: (params: unknown) => DecodedMessage,
): DecodedMessage {
  if (error !== undefined && error !== null) {
    const { message } = asObject(error)
    return { kind: 'error', id, error: errorOfMessage(String(message)) }
  }
  return readBody(params)
}

function readResponse(id: bigint, method: RpcMethod | undefined, params: unknown, readerOf: ReaderOf): DecodedMessage {
  if (method === undefined) throw new MalformedFrame('The response names no method')
  return {
    kind: 'response',
    id,
    method,
    response: readerOf(methodEntry(method).response)(params),
  } as ResponseOf<RpcMethod>
}

/** `{"BlockAdded": {…}}`: the only key is the notification's name. */
function readNotification(
  params: unknown,
  notifications: ReadonlyMap<string | number, NotificationType>,
  readerOf: ReaderOf,
): DecodedMessage {
  const [name, value] = typeof params === 'object' && params !== null ? (Object.entries(params)[0] ?? []) : []
  const type = notifications.get(name ?? '')
  if (type === undefined) {
    return unreadable(undefined, undefined, new MalformedFrame(`"${name}" is not a notification`))
  }
  const data = attempt(() => readerOf(notificationEntry(type).data)(value))
  if ('malformed' in data) return unreadable(undefined, type, data.malformed)
  return { kind: 'notification', notification: { type, data: data.value } as NodeNotification }
}

const unreadable = (id: bigint | undefined, what: string | undefined, malformed: MalformedFrame): DecodedMessage => ({
  kind: 'malformed',
  id,
  error: malformedError(what ?? 'message', malformed),
})
