import type { NodeNotification } from '../../node/messages/records.js'
import type { Random } from '../random.js'
import type { FaultKind } from './fault.js'

/**
 * What one block brings arrives in another order, type by type. Within a type the order stays: a node promises that much,
 * and no more (its `utxos-changed` comes by a path of its own).
 */
export const reorder: FaultKind<Record<string, never>> = {
  about: 'Shuffles the notifications that one block brings, type by type.',
  settings: {},
  create: (_, scene) => ({
    notifications(batch) {
      if (batch.length < 2) return batch
      scene.struck()
      return byType(batch, shuffled([...new Set(batch.map(({ type }) => type))], scene.random))
    },
  }),
}

function byType(batch: readonly NodeNotification[], types: readonly string[]): readonly NodeNotification[] {
  return types.flatMap((type) => batch.filter((notification) => notification.type === type))
}

/** Fisher and Yates. */
function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  const result = [...items]
  for (let last = result.length - 1; last > 0; last--) {
    const chosen = Math.floor(random() * (last + 1))
    const [item] = result.splice(chosen, 1)
    if (item !== undefined) result.splice(last, 0, item)
  }
  return result
}
