import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { NotificationScope } from '../../../src/node/messages/records.js'
import { createDesiredSet, NOTHING_PLACED, type Placed } from '../../../src/streams/subscriptions/subscriptions.js'
import { applySuccess, nextCommand } from '../../../src/streams/subscriptions/commands.js'
import { createSocketSubscriptions } from '../../../src/testing/socket-state.js'

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

/** Acquires and releases, requests, and reconnects. */
const step = fc.oneof(
  fc.record({ what: fc.constant('acquire' as const), scope }),
  fc.record({ what: fc.constantFrom('release' as const, 'request' as const, 'reconnect' as const), which: fc.nat() }),
)

describe('the desired set', () => {
  it('makes the placed subscriptions equal the acquired scopes after any sequence, also across reconnects', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const desired = createDesiredSet()
        const acquired: NotificationScope[] = []
        let placed: Placed = NOTHING_PLACED
        let node = createSocketSubscriptions()
        const sendNext = (): boolean => {
          const command = nextCommand(desired, placed, 0)
          if (command === null) return false
          node.record(command.method, { scope: command.scope })
          placed = applySuccess(placed, command)
          return true
        }
        for (const one of steps) {
          if (one.what === 'acquire') {
            desired.add(one.scope)
            acquired.push(one.scope)
          } else if (one.what === 'release') {
            const [released] = acquired.splice(one.which % (acquired.length || 1), 1)
            if (released !== undefined) desired.remove(released)
          } else if (one.what === 'request') {
            sendNext()
          } else {
            placed = NOTHING_PLACED
            node = createSocketSubscriptions()
          }
        }
        while (sendNext());
        expect(new Set(node.addresses)).toEqual(
          new Set(acquired.flatMap((one) => ('addresses' in one ? one.addresses : []))),
        )
        expect(new Set(node.types)).toEqual(new Set(namesOf(acquired)))
      }),
    )
  })
})

/** The expected types without UTXOs. A scope with accepted ids replaces the one without. */
function namesOf(acquired: readonly NotificationScope[]): string[] {
  const chain = acquired.filter((one) => one.type === 'virtual-chain-changed')
  const chainName = chain.some((one) => one.includeAcceptedTransactionIds)
    ? 'virtual-chain-changed with ids'
    : 'virtual-chain-changed'
  const others = acquired
    .map(({ type }) => type)
    .filter((type) => type !== 'utxos-changed' && type !== 'virtual-chain-changed')
  return chain.length > 0 ? [...others, chainName] : others
}
