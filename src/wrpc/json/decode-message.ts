import { isRpcMethod, methodEntry, notificationEntry, notificationsByKey } from '../../node/messages/lookup.js'
import type { NodeNotification, NotificationType, RpcMethod } from '../../node/messages/records.js'
import type { DecodedMessage, Frame, ResponseOf } from '../codec.js'
import { MalformedFrame, attempt, malformedError } from '../malformed.js'
import { errorOfMessage } from '../wire-error.js'
import { openEnvelope, type Envelope } from './envelope.js'
import type { ReaderOf } from './read.js'
import { asObject, type JsonObject } from './values.js'

/** Makes the reader of what a node sends: answers, errors, notifications. */
export function createMessageReader(
  readerOf: ReaderOf,
): (frame: Frame, methodOf?: (id: bigint) => RpcMethod | undefined) => DecodedMessage {
  const notifications = notificationsByKey()

  const readNotification = (content: JsonObject): DecodedMessage => {
    const params = asObject(content.params)
    const [name] = Object.keys(params)
    const type = notifications.get(name ?? '')
    if (name === undefined || type === undefined) throw new MalformedFrame(`"${name}" is no kind of notification`)
    const data = attempt(() => readerOf(notificationEntry(type).data)(params[name]))
    return 'malformed' in data ? unreadable(undefined, type, data.malformed) : notificationOf(type, data.value)
  }

  return (frame, methodOf) => {
    const opened = attempt(() => openEnvelope(frame))
    if ('malformed' in opened) return unreadable(undefined, undefined, opened.malformed)
    const { id, content } = opened.value
    const method = methodOfAnswer(opened.value, methodOf)
    const message = attempt(() => {
      if (id === undefined) return readNotification(content)
      if (content.error !== undefined && content.error !== null) return refusal(id, content.error)
      if (method === undefined) throw new MalformedFrame('The answer does not say to what')
      const response = readerOf(methodEntry(method).response)(content.params)
      return { kind: 'response', id, method, response } as ResponseOf<RpcMethod>
    })
    return 'malformed' in message ? unreadable(id, method, message.malformed) : message.value
  }
}

function methodOfAnswer(
  { id, content }: Envelope,
  methodOf: ((id: bigint) => RpcMethod | undefined) | undefined,
): RpcMethod | undefined {
  const asked = id === undefined ? undefined : methodOf?.(id)
  return asked ?? (isRpcMethod(content.method) ? content.method : undefined)
}

function refusal(id: bigint, error: unknown): DecodedMessage {
  const { message } = asObject(error)
  return { kind: 'error', id, error: errorOfMessage(typeof message === 'string' ? message : 'no words') }
}

const notificationOf = (type: NotificationType, data: unknown): DecodedMessage => ({
  kind: 'notification',
  notification: { type, data } as NodeNotification,
})

const unreadable = (id: bigint | undefined, what: string | undefined, malformed: MalformedFrame): DecodedMessage => ({
  kind: 'malformed',
  id,
  error: malformedError(what ?? 'message', malformed),
})
