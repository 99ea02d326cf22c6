import type { NodeNotification } from '../../node/messages/records.js'
import type { Frame, WireCodec } from '../../wrpc/codec.js'
import { createBorshCodec } from '../../wrpc/borsh/codec.js'
import { createJsonCodec } from '../../wrpc/json/codec.js'
import type { Random } from '../random.js'
import type { FaultKind } from './fault.js'

/**
 * Shuffles the notifications of one block by type. Within a type the order is kept: a node guarantees that and no more
 * (`utxos-changed` is sent on a separate path).
 */
export const reorder: FaultKind<Record<string, never>> = {
  about: 'Shuffles the notifications of one block by type.',
  settings: {},
  create: (_, context) => ({
    notifications(batch) {
      if (batch.length < 2) return batch
      context.triggered()
      return byType(batch, shuffled([...new Set(batch.map(({ type }) => type))], context.random))
    },
  }),
}

function byType(batch: readonly NodeNotification[], types: readonly string[]): readonly NodeNotification[] {
  return types.flatMap((type) => batch.filter((notification) => notification.type === type))
}

/** Fisher-Yates shuffle. */
function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  const result = [...items]
  for (let last = result.length - 1; last > 0; last--) {
    const chosen = Math.floor(random() * (last + 1))
    const [item] = result.splice(chosen, 1)
    if (item !== undefined) result.splice(last, 0, item)
  }
  return result
}

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
