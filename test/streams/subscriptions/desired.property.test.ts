import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { NotificationScope } from '../../../src/node/messages/records.js'
import { createDesiredSet } from '../../../src/streams/subscriptions/desired.js'
import { done, nextCommand } from '../../../src/streams/subscriptions/commands.js'
import { NOTHING_PLACED, type Placed } from '../../../src/streams/subscriptions/placed.js'
import { createFollowing } from '../../../src/testing/following.js'

const scope: fc.Arbitrary<NotificationScope> = fc.oneof(
  fc.constantFrom<NotificationScope>(
    { type: 'block-added' },
    { type: 'sink-blue-score-changed' },
    { type: 'virtual-chain-changed', includeAcceptedTransactionIds: true },
    { type: 'virtual-chain-changed', includeAcceptedTransactionIds: false },
  ),
  fc
    .array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 3 })
    .map((addresses): NotificationScope => ({ type: 'utxos-changed', addresses: [...new Set(addresses)] })),
)

/** What listeners come, go, and what becomes of the connection. */
const happening = fc.oneof(
  fc.record({ what: fc.constant('listen' as const), scope }),
  fc.record({ what: fc.constantFrom('leave' as const, 'ask' as const, 'reconnect' as const), which: fc.nat() }),
)

describe('the desired set', () => {
  it('makes the node tell exactly what someone listens to, whoever came and went, and however often it was lost', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 40 }), (happenings) => {
        const desired = createDesiredSet()
        const listeners: NotificationScope[] = []
        let placed: Placed = NOTHING_PLACED
        let node = createFollowing()
        const ask = (): boolean => {
          const command = nextCommand(desired, placed, 0)
          if (command === null) return false
          node.note(command.method, { scope: command.scope })
          placed = done(placed, command)
          return true
        }
        for (const one of happenings) {
          if (one.what === 'listen') {
            desired.add(one.scope)
            listeners.push(one.scope)
          } else if (one.what === 'leave') {
            const [gone] = listeners.splice(one.which % (listeners.length || 1), 1)
            if (gone !== undefined) desired.remove(gone)
          } else if (one.what === 'ask') {
            ask()
          } else {
            placed = NOTHING_PLACED
            node = createFollowing()
          }
        }
        while (ask());
        expect(new Set(node.addresses)).toEqual(
          new Set(listeners.flatMap((one) => ('addresses' in one ? one.addresses : []))),
        )
        expect(new Set(node.types)).toEqual(new Set(namesOf(listeners)))
      }),
    )
  })
})

/** What is listened to besides coins; who wants the accepted ids has everybody told them. */
function namesOf(listeners: readonly NotificationScope[]): string[] {
  const chain = listeners.filter((one) => one.type === 'virtual-chain-changed')
  const chainName = chain.some((one) => one.includeAcceptedTransactionIds)
    ? 'virtual-chain-changed with ids'
    : 'virtual-chain-changed'
  const others = listeners
    .map(({ type }) => type)
    .filter((type) => type !== 'utxos-changed' && type !== 'virtual-chain-changed')
  return chain.length > 0 ? [...others, chainName] : others
}
