import fc from 'fast-check'
import { NEVER, VirtualTimeScheduler, of, throwError, timer, map, type Observable, type Subscription } from 'rxjs'
import { expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import type { NotificationScope } from '../../../src/node/messages/records.js'
import { createTestLink } from '../link.js'
import { ALICE, BOB } from '../utxos/utxo-fixtures.js'
import { runs } from '../../full.js'

const scope: fc.Arbitrary<NotificationScope> = fc.constantFrom<NotificationScope>(
  { type: 'block-added' },
  { type: 'new-block-template' },
  { type: 'virtual-chain-changed', includeAcceptedTransactionIds: true },
  { type: 'virtual-chain-changed', includeAcceptedTransactionIds: false },
  { type: 'utxos-changed', addresses: [ALICE] },
  { type: 'utxos-changed', addresses: [ALICE, BOB] },
  { type: 'utxos-changed', addresses: [BOB, BOB] },
)

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ what: fc.constant('acquire' as const), scope }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('release' as const), which: fc.nat({ max: 9 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constantFrom('drop' as const, 'disconnect' as const, 'connect' as const) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('respond' as const),
      how: fc.constantFrom('now', 'late', 'error', 'never'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('advance' as const), ms: fc.constantFrom(1, 4, 900, 1_100) }) },
)

/** The addresses or the name of a scope. */
const keysOf = (scope: NotificationScope): string[] =>
  scope.type === 'utxos-changed' ? [...new Set(scope.addresses)] : [nameOf(scope)]

const nameOf = (scope: NotificationScope): string =>
  scope.type === 'virtual-chain-changed' && scope.includeAcceptedTransactionIds ? `${scope.type} with ids` : scope.type

/** A scope with accepted ids replaces the one without. */
const expected = (scopes: readonly NotificationScope[]): Set<string> => {
  const keys = new Set(scopes.flatMap(keysOf))
  if (keys.has('virtual-chain-changed with ids')) keys.delete('virtual-chain-changed')
  return keys
}

it('the placed subscriptions finally equal the acquired ones, without duplicate requests, after any sequence and refusals', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const scheduler = new VirtualTimeScheduler()
      const { link, node, connect } = createTestLink(scheduler, { requestTimeout: 50, connectTimeout: 20 }, 200_000)
      const acquired: { readonly scope: NotificationScope; readonly subscription: Subscription }[] = []
      const responses: Record<string, () => Observable<{ id: bigint }>> = {
        now: () => of({ id: 1n }),
        late: () => timer(3, scheduler).pipe(map(() => ({ id: 1n }))),
        error: () => throwError(() => new ChainRpcError('subscribe', new Error('refused'), { code: 'remote' })),
        never: () => NEVER,
      }
      let how = 'now'
      const duplicates: string[] = []
      node.respond('subscribe', ({ scope }, { subscriptions }) => {
        const placed = new Set([...subscriptions.types, ...subscriptions.addresses])
        duplicates.push(...keysOf(scope).filter((key) => placed.has(key)))
        return responses[how]?.() ?? NEVER
      })
      const advance = (ms: number): void => {
        scheduler.maxFrames = scheduler.now() + ms
        scheduler.schedule(() => undefined, ms)
        scheduler.flush()
      }
      for (const one of steps) {
        if (one.what === 'acquire') acquired.push({ scope: one.scope, subscription: link.acquire(one.scope) })
        if (one.what === 'release')
          acquired.splice(one.which % (acquired.length || 1), 1)[0]?.subscription.unsubscribe()
        if (one.what === 'drop') node.drop()
        if (one.what === 'disconnect') link.connector.disconnect()
        if (one.what === 'connect') connect()
        if (one.what === 'respond') how = one.how
        if (one.what === 'advance') advance(one.ms)
      }
      how = 'now'
      connect()
      advance(40_000) // more than the maximum retry delay
      const following = node.sockets.find(({ status }) => status === 'open')?.subscriptions
      expect(new Set([...(following?.types ?? []), ...(following?.addresses ?? [])])).toEqual(
        expected(acquired.map(({ scope }) => scope)),
      )
      expect(duplicates).toEqual([])
      const empty = node.calls.filter(({ request }) => JSON.stringify(request).includes('"addresses":[]'))
      expect(empty).toEqual([]) // a node interprets it as all addresses
      link.dispose()
    }),
    { numRuns: runs(200) },
  )
})
