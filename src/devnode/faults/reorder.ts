import type { NodeNotification } from '../../node/messages/records.js'
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
