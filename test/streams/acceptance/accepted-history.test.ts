import fc from 'fast-check'
import { NEVER, Subject, asyncScheduler, last, map, of, throwError, type Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import type { ChainNetwork } from '../../../src/model/network.js'
import { createAcceptedHistory, reduceHistory } from '../../../src/streams/acceptance/accepted-history.js'
import type {
  AcceptanceChange,
  AcceptedTransactionInfo,
  SendersResolved,
} from '../../../src/streams/acceptance/change.js'
import type { Senders } from '../../../src/streams/acceptance/senders.js'
import { createTestPlatform } from '../../../src/testing/platform.js'
import { marbles } from '../../marbles.js'

const accepted = (transactionId: string, acceptingBlockHash = 'a'): AcceptanceChange => ({
  type: 'accepted',
  transactionId,
  acceptingBlockHash,
})
const reverted = (transactionId: string, acceptingBlockHash = 'a'): AcceptanceChange => ({
  ...accepted(transactionId, acceptingBlockHash),
  type: 'reverted',
})
const resolved = (transactionId: string, acceptingBlockHash = 'a'): SendersResolved => ({
  type: 'resolved',
  transactionId,
  acceptingBlockHash,
  senderAddresses: ['alice'],
})

/** A list in one word: ids, with the block in which each was accepted where that is not `a`, and `!` where senders are known. */
const show = (items: readonly AcceptedTransactionInfo[]): string =>
  items
    .map(({ transactionId, acceptingBlockHash, senderAddresses }) =>
      [
        transactionId,
        acceptingBlockHash === 'a' ? '' : `@${acceptingBlockHash}`,
        senderAddresses.length > 0 ? '!' : '',
      ].join(''),
    )
    .join(' ')

const LIST = reduceHistory([], [accepted('1'), accepted('2'), accepted('3')], 100)

describe('the list of what was accepted', () => {
  it.each<[string, (AcceptanceChange | SendersResolved)[], string]>([
    ['holds the newest first', [accepted('4')], '4 3 2 1'],
    ['lets go of what a reorg takes back', [reverted('2')], '3 1'],
    ['says where it was accepted last, and there it stands', [reverted('1'), accepted('1', 'b')], '1@b 3 2'],
    ['holds a transaction once', [accepted('1', 'b')], '1@b 3 2'],
    ['keeps what another block than the removed one accepts', [accepted('1', 'b'), reverted('1', 'a')], '1@b 3 2'],
    ['learns who paid', [resolved('2')], '3 2! 1'],
    ['does not believe what is said of another block', [resolved('2', 'b')], '3 2 1'],
    ['takes no notice of what is not in it', [resolved('9'), reverted('9')], '3 2 1'],
  ])('%s', (_, events, expected) => {
    expect(show(reduceHistory(LIST, events, 100))).toBe(expected)
  })

  it.each([
    [2, '4 3'],
    [0, ''],
    [Infinity, '4 3 2 1'],
  ])('keeps %s at most', (limit, expected) => {
    expect(show(reduceHistory(LIST, [accepted('4')], limit))).toBe(expected)
  })
})

describe('a list that is too short for a burst', () => {
  const kinds = fc.constantFrom(accepted, accepted, accepted, resolved, reverted)
  const event = fc.tuple(kinds, fc.constantFrom('1', '2', '3', '4', '5', '6'), fc.constantFrom('a', 'b'))

  it('holds the newest of what it would hold if every event came alone, and it were long enough', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), fc.nat(5), (told, limit) => {
        const events = saidOnce(told.map(([toEvent, id, block]) => toEvent(id, block)))
        const whole = events.reduce((list, one) => reduceHistory(list, [one], Infinity), LIST)
        expect(reduceHistory(LIST, events, limit)).toEqual(whole.slice(0, limit))
      }),
      { numRuns: 2_000 },
    )
  })
})

/** Without what is said to be accepted twice and not taken back between: no chain does that. */
const saidOnce = (events: readonly (AcceptanceChange | SendersResolved)[]): (AcceptanceChange | SendersResolved)[] =>
  events.filter(({ type, transactionId }, at) => {
    const before = events
      .slice(0, at)
      .filter((one) => one.transactionId === transactionId && one.type !== 'resolved')
      .at(-1)
    return type !== 'accepted' || before?.type !== 'accepted'
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
      ...streams,
    })
  const values = { '-': '', a: '1', b: '2 1', c: '3', A: '1!', B: '2! 1!', e: '' }
  const CHANGES = { '1': accepted('1'), '2': accepted('2'), '3': accepted('3') }

  it(
    'is told once a frame, however much is accepted in it',
    marbles((m) => {
      const changes$ = m.hot('-(12)---', CHANGES)
      const history = createHistory(m.scheduler, {}, { changes$ })
      m.expect(history.state$.pipe(mapShow())).toBeObservable('e--b', values)
    }),
  )

  it(
    'learns who paid, block by block, without waiting for it',
    marbles((m) => {
      const changes$ = m.hot('-1------', CHANGES)
      const senders$ = () => m.cold('---s|', { s: new Map([['1', ['alice']]]) })
      const history = createHistory(m.scheduler, { includeSenderAddresses: true }, { changes$, senders$ })
      m.expect(history.state$.pipe(mapShow()), '^---------!').toBeObservable('e--a----A', values)
    }),
  )

  it(
    'goes on where the node could not tell who paid',
    marbles((m) => {
      const changes$ = m.hot('-1---2', { ...CHANGES, '2': accepted('2', 'b') })
      const lost = throwError(() => new ChainRpcError('getBlock', undefined, { code: 'connection-lost' }))
      const senders$ = (block: string) => (block === 'a' ? lost : of(new Map([['2', ['alice']]])))
      const history = createHistory(m.scheduler, { includeSenderAddresses: true }, { changes$, senders$ })
      const told = { e: '', a: '1', b: '2@b 1', B: '2@b! 1' }
      m.expect(history.state$.pipe(mapShow()), '^------------!').toBeObservable('e--a---b-B', told)
    }),
  )

  it(
    'does not ask who paid for what has left it, where the node is slower than the chain',
    marbles((m) => {
      const blocks = ['p', 'q', 'r', 's', 't']
      const changes$ = m.hot('-p--q--r--s--t', Object.fromEntries(blocks.map((hash) => [hash, accepted(hash, hash)])))
      const asked: string[] = []
      const senders$ = (hash: string) => {
        asked.push(hash)
        return m.cold('30ms s|', { s: new Map([[hash, ['alice']]]) })
      }
      const history = createHistory(
        m.scheduler,
        { includeSenderAddresses: true, maxHistory: 2 },
        { changes$, senders$ },
      )
      m.expect(history.state$.pipe(last(), mapShow()), '^ 140ms !').toBeObservable('')
      m.flush()
      expect(asked).toEqual(['p', 's', 't'])
      expect(show(history.items())).toBe('t@t! s@s!')
    }),
  )

  it(
    'empties when it is cleared, also of what was gathered and not yet told, and begins empty on another network',
    marbles((m) => {
      const changes$ = m.hot('                 -1--2--1------ ', CHANGES)
      const network$ = m.hot<ChainNetwork>('   s----------m ', { s: 'simnet', m: 'mainnet' })
      const history = createHistory(m.scheduler, {}, { changes$, network$ })
      m.cold('-----c').subscribe(() => history.clear())
      m.expect(history.state$.pipe(mapShow()), '^------------!').toBeObservable('e--a-e---a-e', values)
    }),
  )

  it('asks for the senders of one transaction of the list, and of no other', async () => {
    const changes$ = new Subject<AcceptanceChange>()
    const history = createAcceptedHistory(
      {},
      {
        changes$,
        platform: createTestPlatform({ scheduler: asyncScheduler, frame: 0 }),
        senders$: (block, ids) => of(new Map(ids.map((id) => [id, [`who paid ${id} in ${block}`]]))),
        network$: of('simnet'),
        ended$: NEVER,
      },
    )
    const listening = history.state$.subscribe()
    changes$.next(accepted('1'))
    await expect.poll(() => history.items().length).toBe(1)
    expect(await history.resolveSenderAddresses('1')).toEqual(['who paid 1 in a'])
    await expect.poll(() => history.items()[0]?.senderAddresses).toEqual(['who paid 1 in a'])
    await expect(history.resolveSenderAddresses('2')).rejects.toMatchObject({
      code: 'invalid-argument',
      argument: 'transactionId',
    })
    listening.unsubscribe()
  })

  it.each([-1, 1.5, NaN])('of at most %s is refused', (maxHistory) => {
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
