import type { Frame, WireCodec } from '../../wrpc/codec.js'
import { createBorshCodec } from '../../wrpc/borsh/codec.js'
import { createJsonCodec } from '../../wrpc/json/codec.js'
import type { FaultKind } from './fault.js'

/** A node before 0.16: whoever speaks JSON with it gets answers in JSON, and notifications as Borsh in binary messages. */
export const borshNotifications: FaultKind<Record<string, never>> = {
  about: 'Sends JSON clients their notifications in Borsh, as nodes before 0.16 do.',
  settings: {},
  create(_, scene) {
    const [json, borsh] = [createJsonCodec(), createBorshCodec()]
    return {
      parcel(parcel) {
        if (typeof parcel.frame !== 'string' || parcel.answers !== undefined) return [parcel]
        scene.struck()
        return [{ ...parcel, frame: translate(parcel.frame, json, borsh) }]
      },
    }
  },
}

/** What another fault has made unreadable stays as it is. */
function translate(frame: Frame, from: WireCodec, to: WireCodec): Frame {
  const message = from.decodeMessage(frame)
  return message.kind === 'notification' ? to.encodeNotification(message.notification) : frame
}
