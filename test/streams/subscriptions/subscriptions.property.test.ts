import fc from 'fast-check'
import { NEVER, VirtualTimeScheduler, of, throwError, timer, map, type Observable, type Subscription } from 'rxjs'
import { expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import type { NotificationScope } from '../../../src/node/messages/records.js'
import { createTestLink } from '../link.js'
import { ALICE, BOB } from '../utxos/coins.js'

const scope: fc.Arbitrary<NotificationScope> = fc.constantFrom<NotificationScope>(
  { type: 'block-added' },
  { type: 'new-block-template' },
  { type: 'virtual-chain-changed', includeAcceptedTransactionIds: true },
  { type: 'virtual-chain-changed', includeAcceptedTransactionIds: false },
  { type: 'utxos-changed', addresses: [ALICE] },
  { type: 'utxos-changed', addresses: [ALICE, BOB] },
  { type: 'utxos-changed', addresses: [BOB, BOB] },
)

const happening = fc.oneof(
  { weight: 4, arbitrary: fc.record({ what: fc.constant('want' as const), scope }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('leave' as const), which: fc.nat({ max: 9 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constantFrom('drop' as const, 'disconnect' as const, 'connect' as const) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant('answer' as const), how: fc.constantFrom('now', 'late', 'no', 'never') }),
  },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('pass' as const), ms: fc.constantFrom(1, 4, 900, 1_100) }) },
)

/** What a scope asks for, in words that can be counted. */
const wordsOf = (wanted: NotificationScope): string[] =>
  wanted.type === 'utxos-changed' ? [...new Set(wanted.addresses)] : [nameOf(wanted)]

const nameOf = (wanted: NotificationScope): string =>
  wanted.type === 'virtual-chain-changed' && wanted.includeAcceptedTransactionIds
    ? `${wanted.type} with ids`
    : wanted.type

/** Who wants the accepted ids has everybody told them. */
const expected = (scopes: readonly NotificationScope[]): Set<string> => {
  const words = new Set(scopes.flatMap(wordsOf))
  if (words.has('virtual-chain-changed with ids')) words.delete('virtual-chain-changed')
  return words
}

it('the node tells in the end exactly what is wanted, and was asked for nothing twice, whoever came and went and whatever it refused', () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 40 }), (happenings) => {
      const scheduler = new VirtualTimeScheduler()
      const { link, node, connect } = createTestLink(scheduler, { requestTimeout: 50, connectTimeout: 20 }, 200_000)
      const wants: { readonly scope: NotificationScope; readonly wanted: Subscription }[] = []
      const answers: Record<string, () => Observable<{ id: bigint }>> = {
        now: () => of({ id: 1n }),
        late: () => timer(3, scheduler).pipe(map(() => ({ id: 1n }))),
        no: () => throwError(() => new ChainRpcError('subscribe', new Error('no'), { code: 'remote' })),
        never: () => NEVER,
      }
      let how = 'now'
      const doubled: string[] = []
      node.answer('subscribe', ({ scope }, { following }) => {
        const already = new Set([...following.types, ...following.addresses])
        doubled.push(...wordsOf(scope).filter((word) => already.has(word)))
        return answers[how]?.() ?? NEVER
      })
      const pass = (ms: number): void => {
        scheduler.maxFrames = scheduler.now() + ms
        scheduler.schedule(() => undefined, ms)
        scheduler.flush()
      }
      for (const one of happenings) {
        if (one.what === 'want') wants.push({ scope: one.scope, wanted: link.want(one.scope) })
        if (one.what === 'leave') wants.splice(one.which % (wants.length || 1), 1)[0]?.wanted.unsubscribe()
        if (one.what === 'drop') node.drop()
        if (one.what === 'disconnect') link.keeper.disconnect()
        if (one.what === 'connect') connect()
        if (one.what === 'answer') how = one.how
        if (one.what === 'pass') pass(one.ms)
      }
      how = 'now'
      connect()
      pass(40_000) // the longest wait before a refused subscription is asked for again
      const following = node.sockets.find(({ status }) => status === 'open')?.following
      expect(new Set([...(following?.types ?? []), ...(following?.addresses ?? [])])).toEqual(
        expected(wants.map(({ scope }) => scope)),
      )
      expect(doubled).toEqual([])
      const empty = node.calls.filter(({ request }) => JSON.stringify(request).includes('"addresses":[]'))
      expect(empty).toEqual([]) // to a node that means every address
      link.dispose()
    }),
    { numRuns: 200 },
  )
})
