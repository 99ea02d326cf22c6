import type { Frame, WireCodec } from '../../wrpc/codec.js'
import { createBorshCodec } from '../../wrpc/borsh/codec.js'
import { createJsonCodec } from '../../wrpc/json/codec.js'
import type { FaultKind } from './fault.js'

/** A node before 0.16: JSON clients get responses in JSON, and notifications as Borsh in binary messages. */
export const borshNotifications: FaultKind<Record<string, never>> = {
  about: 'Sends JSON clients their notifications in Borsh, as nodes before 0.16 do.',
  settings: {},
  create(_, context) {
    const [json, borsh] = [createJsonCodec(), createBorshCodec()]
    return {
      outgoing(message) {
        if (typeof message.frame !== 'string' || message.replyTo !== undefined) return [message]
        context.triggered()
        return [{ ...message, frame: translate(message.frame, json, borsh) }]
      },
    }
  },
}

/** A frame that another fault has corrupted is left unchanged. */
function translate(frame: Frame, from: WireCodec, to: WireCodec): Frame {
  const message = from.decodeMessage(frame)
  return message.kind === 'notification' ? to.encodeNotification(message.notification) : frame
}
