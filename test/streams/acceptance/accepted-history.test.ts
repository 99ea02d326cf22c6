import fc from 'fast-check'
import { NEVER, Subject, asyncScheduler, last, map, of, throwError, type Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import type { ChainNetwork } from '../../../src/model/network.js'
import { TransactionIds } from '../../../src/model/transaction-ids.js'
import {
  createAcceptedHistory,
  reduceBatches,
  reduceHistory,
} from '../../../src/streams/acceptance/accepted-history.js'
import {
  type AcceptanceBatch,
  type AcceptanceChange,
  type AcceptedTransactionInfo,
  type SendersResolved,
  type TransactionChange,
  toChanges,
} from '../../../src/streams/acceptance/acceptance.js'
import type { Senders } from '../../../src/streams/acceptance/senders.js'
import { createTestPlatform } from '../../../src/testing/platform.js'
import { marbles } from '../../marbles.js'
import { idOf, nameOf } from './ids.js'

const accepted = (name: string, acceptingBlockHash = 'a'): TransactionChange => ({
  type: 'accepted',
  transactionId: idOf(name),
  acceptingBlockHash,
})
const reverted = (name: string, acceptingBlockHash = 'a'): TransactionChange => ({
  ...accepted(name, acceptingBlockHash),
  type: 'reverted',
})
const resolved = (name: string, acceptingBlockHash = 'a'): SendersResolved => ({
  type: 'resolved',
  transactionId: idOf(name),
  acceptingBlockHash,
  senderAddresses: ['alice'],
})

/** A list as text: ids, with the accepting block unless it is `a`, and `!` where senders are known. */
const show = (items: readonly AcceptedTransactionInfo[]): string =>
  items
    .map(({ transactionId, acceptingBlockHash, senderAddresses }) =>
      [
        nameOf(transactionId),
        acceptingBlockHash === 'a' ? '' : `@${acceptingBlockHash}`,
        senderAddresses.length > 0 ? '!' : '',
      ].join(''),
    )
    .join(' ')

const LIST = reduceHistory([], [accepted('1'), accepted('2'), accepted('3')], 100)

describe('reduceHistory', () => {
  it.each<[string, (AcceptanceChange | SendersResolved)[], string]>([
    ['puts the newest first', [accepted('4')], '4 3 2 1'],
    ['removes a reverted transaction', [reverted('2')], '3 1'],
    ['moves a transaction to where it was accepted last', [reverted('1'), accepted('1', 'b')], '1@b 3 2'],
    ['holds a transaction once', [accepted('1', 'b')], '1@b 3 2'],
    [
      'keeps a transaction that another block than the removed one accepts',
      [accepted('1', 'b'), reverted('1', 'a')],
      '1@b 3 2',
    ],
    ['adds resolved senders', [resolved('2')], '3 2! 1'],
    ['ignores senders resolved for another block', [resolved('2', 'b')], '3 2 1'],
    ['ignores transactions that are not listed', [resolved('9'), reverted('9')], '3 2 1'],
  ])('%s', (_, events, expected) => {
    expect(show(reduceHistory(LIST, events, 100))).toBe(expected)
  })

  it.each([
    [2, '4 3'],
    [0, ''],
    [Infinity, '4 3 2 1'],
  ])('keeps at most %s', (limit, expected) => {
    expect(show(reduceHistory(LIST, [accepted('4')], limit))).toBe(expected)
  })
})

describe('a list shorter than a burst', () => {
  const kinds = fc.constantFrom(accepted, accepted, accepted, resolved, reverted)
  const event = fc.tuple(kinds, fc.constantFrom('1', '2', '3', '4', '5', '6'), fc.constantFrom('a', 'b'))

  it('holds the newest of an unlimited list that applied each event separately', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), fc.nat(5), (drawn, limit) => {
        const events = withoutDuplicates(drawn.map(([toEvent, id, block]) => toEvent(id, block)))
        const whole = events.reduce((list, one) => reduceHistory(list, [one], Infinity), LIST)
        expect(reduceHistory(LIST, events, limit)).toEqual(whole.slice(0, limit))
      }),
      { numRuns: 2_000 },
    )
  })
})

/** Without repeated acceptance of a transaction not reverted in between, which no chain produces. */
const withoutDuplicates = (
  events: readonly (TransactionChange | SendersResolved)[],
): (TransactionChange | SendersResolved)[] =>
  events.filter(({ type, transactionId }, at) => {
    const before = events
      .slice(0, at)
      .filter((one) => one.transactionId === transactionId && one.type !== 'resolved')
      .at(-1)
    return type !== 'accepted' || before?.type !== 'accepted'
  })

/** A batch of one block for each change; a reverted one is of a rollback. */
const toBatch = (...changes: readonly AcceptanceChange[]): AcceptanceBatch => {
  const blocksOf = (type: 'accepted' | 'reverted') =>
    changes.flatMap((change) =>
      change.type === type
        ? [{ hash: change.acceptingBlockHash, accepted: new TransactionIds([change.transactionId]) }]
        : [],
    )
  const [removed, added] = [blocksOf('reverted'), blocksOf('accepted')]
  const rollback = removed.length > 0 ? ({ type: 'rollback', hash: 'z', blueScore: 1n } as const) : null
  return { rollback, removed, added }
}

describe('reduceBatches', () => {
  const change = fc.tuple(
    fc.constantFrom(accepted, accepted, accepted, reverted),
    fc.constantFrom('1', '2', '3', '4', '5', '6', '7'),
    fc.constantFrom('a', 'b'),
  )
  const batch = fc
    .array(change, { maxLength: 4 })
    .map((drawn) => toBatch(...drawn.map(([toEvent, name, block]) => toEvent(name, block))))
  const event = fc.oneof(
    { weight: 5, arbitrary: batch },
    { weight: 1, arbitrary: fc.constantFrom('1', '2', '3').map((name) => resolved(name)) },
  )

  it('is reduceHistory of all changes, also where only the newest become strings', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 5 }), fc.nat(5), (events, limit) => {
        const changes = events.flatMap<AcceptanceChange | SendersResolved>((one) =>
          'added' in one ? toChanges(one) : [one],
        )
        expect(reduceBatches(LIST, events, limit)).toEqual(reduceHistory(LIST, changes, limit))
      }),
      { numRuns: 1_000 },
    )
  })

  it('takes the newest of several blocks of many transactions', () => {
    const ids = (block: string) => new TransactionIds(['1', '2', '3'].map((name) => idOf(`${block}${name}`)))
    const added = ['p', 'q'].map((hash) => ({ hash, accepted: ids(hash) }))
    const batches = [{ rollback: null, removed: [], added }]
    expect(show(reduceBatches([], batches, 4))).toBe('q3@q q2@q q1@q p3@p')
    expect(show(reduceBatches([], batches, Infinity))).toBe('q3@q q2@q q1@q p3@p p2@p p1@p')
    expect(show(reduceBatches([], batches, 0))).toBe('')
  })
})

interface Streams extends Partial<Senders> {
  readonly changes$: Observable<AcceptanceChange>
  readonly network$?: Observable<ChainNetwork>
}

describe('a history', () => {
  const createHistory = (
    scheduler: Parameters<typeof createTestPlatform>[0]['scheduler'],
    options: Parameters<typeof createAcceptedHistory>[0],
    streams: Streams,
  ) =>
    createAcceptedHistory(options, {
      platform: createTestPlatform({ scheduler, frame: 2 }),
      senders$: () => NEVER,
      network$: of('simnet'),
      ended$: NEVER,
      batches$: streams.changes$.pipe(map((change) => toBatch(change))),
      ...streams,
    })
  const values = { '-': '', a: '1', b: '2 1', c: '3', A: '1!', B: '2! 1!', e: '' }
  const CHANGES = { '1': accepted('1'), '2': accepted('2'), '3': accepted('3') }

  it(
    'emits once per frame, however many transactions are accepted',
    marbles((m) => {
      const changes$ = m.hot('-(12)---', CHANGES)
      const history = createHistory(m.scheduler, {}, { changes$ })
      m.expect(history.state$.pipe(mapShow())).toBeObservable('e--b', values)
    }),
  )

  it(
    'resolves senders block by block, without delaying acceptance',
    marbles((m) => {
      const changes$ = m.hot('-1------', CHANGES)
      const senders$ = () => m.cold('---s|', { s: new Map([[idOf('1'), ['alice']]]) })
      const history = createHistory(m.scheduler, { includeSenderAddresses: true }, { changes$, senders$ })
      m.expect(history.state$.pipe(mapShow()), '^---------!').toBeObservable('e--a----A', values)
    }),
  )

  it(
    'continues where senders cannot be resolved',
    marbles((m) => {
      const changes$ = m.hot('-1---2', { ...CHANGES, '2': accepted('2', 'b') })
      const failed = throwError(() => new ChainRpcError('getBlock', undefined, { code: 'connection-lost' }))
      const senders$ = (block: string) => (block === 'a' ? failed : of(new Map([[idOf('2'), ['alice']]])))
      const history = createHistory(m.scheduler, { includeSenderAddresses: true }, { changes$, senders$ })
      const values = { e: '', a: '1', b: '2@b 1', B: '2@b! 1' }
      m.expect(history.state$.pipe(mapShow()), '^------------!').toBeObservable('e--a---b-B', values)
    }),
  )

  it(
    'does not resolve transactions that have left the list, where the node is slower than the chain',
    marbles((m) => {
      const blocks = ['p', 'q', 'r', 's', 't']
      const changes$ = m.hot('-p--q--r--s--t', Object.fromEntries(blocks.map((hash) => [hash, accepted(hash, hash)])))
      const requestedHashes: string[] = []
      const senders$ = (hash: string) => {
        requestedHashes.push(hash)
        return m.cold('30ms s|', { s: new Map([[idOf(hash), ['alice']]]) })
      }
      const history = createHistory(
        m.scheduler,
        { includeSenderAddresses: true, maxHistory: 2 },
        { changes$, senders$ },
      )
      m.expect(history.state$.pipe(last(), mapShow()), '^ 140ms !').toBeObservable('')
      m.flush()
      expect(requestedHashes).toEqual(['p', 's', 't'])
      expect(show(history.items())).toBe('t@t! s@s!')
    }),
  )

  it(
    'clears with its buffered events, and on another network',
    marbles((m) => {
      const changes$ = m.hot('                 -1--2--1------ ', CHANGES)
      const network$ = m.hot<ChainNetwork>('   s----------m ', { s: 'simnet', m: 'mainnet' })
      const history = createHistory(m.scheduler, {}, { changes$, network$ })
      m.cold('-----c').subscribe(() => history.clear())
      m.expect(history.state$.pipe(mapShow()), '^------------!').toBeObservable('e--a-e---a-e', values)
    }),
  )

  it('resolves the senders of one listed transaction, and rejects others', async () => {
    const changes$ = new Subject<AcceptanceChange>()
    const history = createAcceptedHistory(
      {},
      {
        changes$,
        batches$: changes$.pipe(map((change) => toBatch(change))),
        platform: createTestPlatform({ scheduler: asyncScheduler, frame: 0 }),
        senders$: (block, ids) => of(new Map(ids.map((id) => [id, [`sender of ${nameOf(id)} in ${block}`]]))),
        network$: of('simnet'),
        ended$: NEVER,
      },
    )
    const subscription = history.state$.subscribe()
    changes$.next(accepted('1'))
    await expect.poll(() => history.items().length).toBe(1)
    expect(await history.resolveSenderAddresses(idOf('1'))).toEqual(['sender of 1 in a'])
    await expect.poll(() => history.items()[0]?.senderAddresses).toEqual(['sender of 1 in a'])
    await expect(history.resolveSenderAddresses(idOf('2'))).rejects.toMatchObject({
      code: 'invalid-argument',
      argument: 'transactionId',
    })
    subscription.unsubscribe()
  })

  it.each([-1, 1.5, NaN])('rejects a maximum of %s', (maxHistory) => {
    marbles((m) => {
      expect(() => createHistory(m.scheduler, { maxHistory }, { changes$: NEVER })).toThrow(
        `"maxHistory" is ${maxHistory}: give a whole number from 0, or Infinity`,
      )
    })()
  })
})

function mapShow() {
  return (state$: Observable<readonly AcceptedTransactionInfo[]>): Observable<string> => state$.pipe(map(show))
}
