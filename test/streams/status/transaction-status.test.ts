import { BehaviorSubject, EMPTY, NEVER, defer, map, of, throwError, timer, type Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { TransactionIds } from '../../../src/model/transaction-ids.js'
import { ChainError } from '../../../src/errors/chain-error.js'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import type { RpcResponse, VirtualChainResult } from '../../../src/node/messages/records.js'
import type { AcceptanceChange } from '../../../src/streams/acceptance/acceptance.js'
import type { TransactionStatus } from '../../../src/streams/status/status.js'
import { createTransactionStatus } from '../../../src/streams/status/transaction-status.js'
import { marbles } from '../../marbles.js'
import { BLOCK, ID, notFound, createFollowDeps, entryOf, inMempool } from './harness.js'

const ACCEPTED: AcceptanceChange = { type: 'accepted', transactionId: ID, acceptingBlockHash: BLOCK }
const REVERTED: AcceptanceChange = { ...ACCEPTED, type: 'reverted' }
const CHANGES = { a: ACCEPTED, r: REVERTED, o: { ...ACCEPTED, transactionId: 'ff'.repeat(32) } }
const SCORES = { '0': 100n, '1': 101n, '2': 102n, '3': 103n }

/** The accepting block has a blue score of 100. */
const getBlock = () => of({ block: { header: { blueScore: 100n } } } as RpcResponse<'getBlock'>)

/** `u`, `m`; the number of confirmations if accepted; the first letter of a failure in upper case. */
const letters = (status$: Observable<TransactionStatus>): Observable<string> =>
  status$.pipe(
    map(({ status, confirmations, error }) => {
      if (error !== null) return status.charAt(0).toUpperCase()
      return status === 'accepted' ? String(confirmations) : status.charAt(0)
    }),
  )

describe('a followed transaction', () => {
  it(
    'is reported with its confirmations, for its reservation',
    marbles((m) => {
      const followed: unknown[] = []
      const onFollow = (...call: unknown[]): void => void followed.push(call)
      createTransactionStatus(createFollowDeps(m.scheduler, {}, { onFollow }))(ID.toUpperCase(), { confirmations: 30 })
      expect(followed).toEqual([[ID, 30]])
    }),
  )

  it(
    'goes from the mempool to the requested confirmations, and completes',
    marbles((m) => {
      const changes$ = m.hot<AcceptanceChange>('--o-a-o-o-o', CHANGES)
      const sinkBlueScore$ = m.hot('              0----1-2-3-', SCORES)
      const deps = createFollowDeps(
        m.scheduler,
        { getMempoolEntry: inMempool(), getBlock },
        { changes$, sinkBlueScore$ },
      )
      const status$ = createTransactionStatus(deps)(ID, { confirmations: 2 })
      m.expect(letters(status$)).toBeObservable('(um)0-1-(2|)')
    }),
  )

  it(
    'goes back to the mempool where a reorg reverts its acceptance',
    marbles((m) => {
      const changes$ = m.hot<AcceptanceChange>('--a---r--a', CHANGES)
      const sinkBlueScore$ = m.hot('              01-----2', SCORES)
      const deps = createFollowDeps(
        m.scheduler,
        { getMempoolEntry: () => notFound, getBlock },
        { changes$, sinkBlueScore$ },
      )
      m.expect(letters(createTransactionStatus(deps)(ID)), '^--------------!').toBeObservable('u-(01)m--(012)')
    }),
  )

  it(
    'is read from the mempool on connecting, and after each reconnect at once',
    marbles((m) => {
      const connected$ = m.hot('f--t 5s f---t', { f: false, t: true })
      const deps = createFollowDeps(m.scheduler, { getMempoolEntry: inMempool() }, { connected$ })
      m.expect(letters(createTransactionStatus(deps)(ID)), '^ 6s !').toBeObservable('u--m')
      m.scheduler.schedule(() => {
        expect(deps.calledMethods).toEqual(Array(4).fill('getMempoolEntry'))
      }, 6_000)
    }),
  )

  it(
    'is read from the mempool every 2 s until it is accepted',
    marbles((m) => {
      const changes$ = m.hot<AcceptanceChange>('5s a', CHANGES)
      const deps = createFollowDeps(m.scheduler, { getMempoolEntry: inMempool(), getBlock }, { changes$ })
      createTransactionStatus(deps)(ID).subscribe()
      m.scheduler.schedule(() => {
        expect(deps.calledMethods.filter((method) => method === 'getMempoolEntry')).toHaveLength(3)
      }, 60_000)
    }),
  )

  it(
    'is accepted at once where the remembered chain contains it',
    marbles((m) => {
      const chains = () => [[{ hash: BLOCK, accepted: new TransactionIds([ID]) }]]
      const sinkBlueScore$ = m.hot('3', SCORES)
      const deps = createFollowDeps(m.scheduler, { getMempoolEntry: () => NEVER, getBlock }, { chains, sinkBlueScore$ })
      m.expect(letters(createTransactionStatus(deps)(ID)), '^-!').toBeObservable('(u03)')
    }),
  )

  it(
    'is found where it was accepted earlier, also after the connection was lost during the search',
    marbles((m) => {
      const lost = throwError(() => new ChainRpcError('getBlockDagInfo', undefined, { code: 'connection-lost' }))
      const sinkResponses = [lost, lost, of({ sink: BLOCK, network: 'simnet' } as RpcResponse<'getBlockDagInfo'>)]
      const header = { hash: BLOCK, blueScore: 100n, parentsByLevel: [], pruningPoint: BLOCK, bits: 0x207fffff }
      const page: VirtualChainResult = {
        removedChainBlockHashes: [],
        addedChainBlockHashes: [BLOCK],
        acceptedTransactionIds: [{ acceptingBlockHash: BLOCK, acceptedTransactionIds: [ID] }],
      }
      const deps = createFollowDeps(m.scheduler, {
        getMempoolEntry: () => notFound,
        getBlockDagInfo: () => sinkResponses.shift() ?? NEVER,
        getBlock: () => of({ block: { header } } as unknown as RpcResponse<'getBlock'>),
        getVirtualChainFromBlock: () => of(page),
      })
      m.expect(letters(createTransactionStatus(deps)(ID)), '^ 9s !').toBeObservable('u 3999ms 0')
    }),
  )

  it(
    'is replaced where another mempool transaction spends its UTXOs',
    marbles((m) => {
      const conflicting = entryOf('ff'.repeat(32), 'ee'.repeat(32))
      const entryResponses = [inMempool(), () => notFound]
      const deps = createFollowDeps(m.scheduler, {
        getMempoolEntry: () => entryResponses[Math.min(1, reads++)]!(),
        getMempoolEntries: () => of({ mempoolEntries: [conflicting] }),
      })
      let reads = 0
      m.expect(letters(createTransactionStatus(deps)(ID)), '^ 3s !').toBeObservable('(um) 1996ms R')
    }),
  )

  it(
    'is replaced also where the conflict search fails at first',
    marbles((m) => {
      const conflicting = entryOf('ff'.repeat(32), 'ee'.repeat(32))
      const entryResponses = [inMempool(), () => notFound]
      const conflictResponses = [() => notFound, () => notFound, () => of({ mempoolEntries: [conflicting] })]
      const [nextEntry, nextEntries] = [entryResponses.values(), conflictResponses.values()]
      const deps = createFollowDeps(m.scheduler, {
        getMempoolEntry: () => (nextEntry.next().value ?? (() => notFound))(),
        getMempoolEntries: () => (nextEntries.next().value ?? (() => NEVER))(),
      })
      m.expect(letters(createTransactionStatus(deps)(ID)), '^ 7s !').toBeObservable('(um) 5996ms R')
    }),
  )

  it(
    'goes on when replaced by an own transaction, and when a node has refused it',
    marbles((m) => {
      const rejections$ = m.hot('   --r', { r: { transactionId: ID, error: new ChainError('fee too low') } })
      const replacements$ = m.hot('--r', { r: { transactionId: ID, by: 'ff'.repeat(32) } })
      const responses = { getMempoolEntry: () => NEVER }
      const rejected = createFollowDeps(m.scheduler, responses, { rejections$ })
      const replaced = createFollowDeps(m.scheduler, responses, { replacements$ })
      m.expect(letters(createTransactionStatus(rejected)(ID)), '^ 5s !').toBeObservable('u-R')
      m.expect(letters(createTransactionStatus(replaced)(ID)), '^ 5s !').toBeObservable('u-R')
    }),
  )

  it(
    'ends as replaced once the chain has confirmed the transaction in its place, not before',
    marbles((m) => {
      const other = 'ff'.repeat(32)
      const replacements$ = m.hot('--r', { r: { transactionId: ID, by: other } })
      const changes$ = m.hot<AcceptanceChange>('---o-x-o--o', {
        o: CHANGES.o,
        x: { ...CHANGES.o, type: 'reverted' },
      })
      const sinkBlueScore$ = m.hot('0--0---1--2', SCORES)
      const deps = createFollowDeps(
        m.scheduler,
        { getMempoolEntry: () => notFound, getBlock },
        { replacements$, changes$, sinkBlueScore$ },
      )
      m.expect(letters(createTransactionStatus(deps)(ID, { confirmations: 1 }))).toBeObservable('u-R-------|')
    }),
  )

  it(
    'follows what replaces the transaction in its place',
    marbles((m) => {
      const other = 'ff'.repeat(32)
      const replacements$ = m.hot('--rs', {
        r: { transactionId: ID, by: 'ee'.repeat(32) },
        s: { transactionId: 'ee'.repeat(32), by: other },
      })
      const changes$ = m.hot<AcceptanceChange>('----o', CHANGES)
      const deps = createFollowDeps(
        m.scheduler,
        { getMempoolEntry: () => notFound, getBlock },
        { replacements$, changes$ },
      )
      const options = { confirmations: 0 }
      m.expect(letters(createTransactionStatus(deps)(ID, options))).toBeObservable('u-RR|')
    }),
  )

  it(
    'has the error of the latest refusal',
    marbles((m) => {
      const refusal = (message: string) => ({ transactionId: ID, error: new ChainError(message) })
      const rejections$ = m.hot('-a-b', { a: refusal('fee too low'), b: refusal('orphan') })
      const deps = createFollowDeps(m.scheduler, { getMempoolEntry: () => NEVER }, { rejections$ })
      const messages$ = createTransactionStatus(deps)(ID).pipe(map(({ error }) => error?.message))
      const expected = { u: undefined, a: 'fee too low', b: 'orphan' }
      m.expect(messages$, '^ 5s !').toBeObservable('ua-b', expected)
    }),
  )

  it(
    'always ends: also without responses, and without confirmations',
    marbles((m) => {
      const changes$ = m.hot<AcceptanceChange>('a', CHANGES)
      const unresponsive = createFollowDeps(m.scheduler, { getMempoolEntry: () => NEVER })
      const stall = createFollowDeps(m.scheduler, { getMempoolEntry: () => NEVER, getBlock }, { changes$ })
      m.expect(letters(createTransactionStatus(unresponsive)(ID, { timeout: 50 }))).toBeObservable('u 49ms (T|)')
      m.expect(letters(createTransactionStatus(stall)(ID, { timeout: 50 }))).toBeObservable('(u0) 46ms (T|)')
    }),
  )

  it(
    'does not time out by a clock jump',
    marbles((m) => {
      const deps = createFollowDeps(m.scheduler, { getMempoolEntry: () => notFound })
      const jump$ = m.cold('-j').pipe(map(() => deps.platform.shiftClock(8 * 3_600_000)))
      jump$.subscribe()
      m.expect(letters(createTransactionStatus(deps)(ID)), '^ 5s !').toBeObservable('u')
    }),
  )

  it(
    'never times out with an infinite timeout, beyond the longest timer',
    marbles((m) => {
      const deps = createFollowDeps(m.scheduler, { getMempoolEntry: () => EMPTY })
      const options = { timeout: Infinity }
      m.expect(letters(createTransactionStatus(deps)(ID, options)), '^ 5s !').toBeObservable('u')
    }),
  )

  it.each([
    ['an id of 63 digits', ID.slice(1), {}, 'transactionId'],
    ['an id that is not hex', 'zz'.repeat(32), {}, 'transactionId'],
    ['less than no confirmations', ID, { confirmations: -1 }, 'confirmations'],
    ['a timeout that is no number', ID, { timeout: NaN }, 'timeout'],
  ])('is rejected with %s, without a request', (_, id, options, argument) => {
    marbles((m) => {
      const deps = createFollowDeps(m.scheduler, {})
      const refused$ = createTransactionStatus(deps)(id, options).pipe(map(({ error }) => error?.argument))
      m.expect(refused$).toBeObservable('(a|)', { a: argument })
      m.flush()
      expect(deps.calledMethods).toEqual([])
    })()
  })

  it(
    'is evicted only once a synced node lacks it: one that catches up may have its block still to come',
    marbles((m) => {
      const isSynced$ = new BehaviorSubject(true)
      m.hot('1s f 300s t', { f: false, t: true }).subscribe(isSynced$)
      const blocks$ = timer(0, 1_000, m.scheduler)
      const changes$ = blocks$.pipe(map(() => CHANGES.o))
      const sinkBlueScore$ = blocks$.pipe(map((score) => BigInt(score)))
      const entryResponses = [inMempool(), () => notFound]
      let reads = 0
      const deps = createFollowDeps(
        m.scheduler,
        { getMempoolEntry: () => entryResponses[Math.min(1, reads++)]!() },
        { isSynced$, changes$, sinkBlueScore$, ended$: NEVER },
      )
      m.expect(letters(createTransactionStatus(deps)(ID))).toBeObservable('(um) 421996ms E 177999ms (T|)')
    }),
  )

  it(
    'is shared by the subscribers of one call, replays the latest status, and completes with the engine',
    marbles((m) => {
      let reads = 0
      const getMempoolEntry = () => defer(() => (reads++, inMempool()()))
      const deps = createFollowDeps(
        m.scheduler,
        { getMempoolEntry },
        { ended$: m.hot('-----e').pipe(map(() => undefined)) },
      )
      const status$ = createTransactionStatus(deps)(ID)
      m.expect(letters(status$)).toBeObservable('        (um)-|')
      m.expect(letters(status$), '---^').toBeObservable('---m-|')
      m.flush()
      expect(reads).toBe(1)
    }),
  )
})

describe('a transaction whose accepting block was found by a look-back', () => {
  it(
    'goes back to the mempool where a reorg removes that block',
    marbles((m) => {
      const removal = { removedChainBlockHashes: [BLOCK], addedChainBlockHashes: [], acceptedTransactionIds: [] }
      const removals$ = m.hot('----x', { x: { data: removal } })
      const events$ = (() => removals$) as never
      const deps = createFollowDeps(
        m.scheduler,
        { getMempoolEntry: () => notFound, getBlock },
        { events$, findAcceptingBlock: () => of(BLOCK) },
      )
      m.expect(letters(createTransactionStatus(deps)(ID)), '^ 20ms !').toBeObservable('(u0)m')
    }),
  )
})

describe('a transaction whose accepting block left the chain during an outage', () => {
  it(
    'goes back to the mempool with the rollback, which names no transactions of that block',
    marbles((m) => {
      const rollback: AcceptanceChange = { type: 'rollback', hash: 'ef'.repeat(32), blueScore: 99n }
      const changes$ = m.hot<AcceptanceChange>('-----(bo)--o', { ...CHANGES, b: rollback })
      const sinkBlueScore$ = m.hot('             2----3---', SCORES)
      const deps = createFollowDeps(
        m.scheduler,
        { getMempoolEntry: () => notFound, getBlock },
        { changes$, sinkBlueScore$, findAcceptingBlock: () => of(BLOCK) },
      )
      m.expect(letters(createTransactionStatus(deps)(ID)), '^ 20ms !').toBeObservable('(u02)m')
    }),
  )
})

describe('a payment that a reorg has reverted', () => {
  const spent = { s: true, u: false }

  it(
    'is conflicting while another transaction has spent its inputs, then double-spent',
    marbles((m) => {
      const changes$ = m.hot<AcceptanceChange>('--a-r 1100ms o-o', CHANGES)
      const sinkBlueScore$ = m.hot('              0--- 1100ms 1-3', SCORES)
      const deps = createFollowDeps(
        m.scheduler,
        { getMempoolEntry: () => notFound, getBlock },
        { changes$, sinkBlueScore$, isSpent: () => m.cold('s', spent), findAcceptingBlock: () => EMPTY },
      )
      const status$ = createTransactionStatus(deps)(ID, { confirmations: 3 })
      m.expect(letters(status$)).toBeObservable('u-0-m 999ms c 102ms (D|)')
    }),
  )

  it(
    'is accepted where its own accepting block is found instead',
    marbles((m) => {
      let lookups = 0
      const findAcceptingBlock = (): Observable<string> => (lookups++ === 0 ? EMPTY : of(BLOCK))
      const changes$ = m.hot<AcceptanceChange>('--a-r 1100ms o-o', CHANGES)
      const sinkBlueScore$ = m.hot('              0--- 1100ms 1-3', SCORES)
      const deps = createFollowDeps(
        m.scheduler,
        { getMempoolEntry: () => notFound, getBlock },
        { changes$, sinkBlueScore$, isSpent: () => m.cold('s', spent), findAcceptingBlock },
      )
      const status$ = createTransactionStatus(deps)(ID, { confirmations: 3 })
      m.expect(letters(status$)).toBeObservable('u-0-m 999ms c 102ms (03|)')
    }),
  )

  it(
    'is not conflicting where the notification of its acceptance follows within a second',
    marbles((m) => {
      const changes$ = m.hot<AcceptanceChange>('--a-r 500ms a', CHANGES)
      const deps = createFollowDeps(
        m.scheduler,
        { getMempoolEntry: () => notFound, getBlock },
        { changes$, sinkBlueScore$: m.hot('0', SCORES), isSpent: () => m.cold('s', spent) },
      )
      m.expect(letters(createTransactionStatus(deps)(ID)), '^ 1900ms !').toBeObservable('u-0-m 500ms 0')
    }),
  )

  it(
    'returns to the mempool where a further reorg has restored its inputs',
    marbles((m) => {
      const changes$ = m.hot<AcceptanceChange>('--a-r', CHANGES)
      const deps = createFollowDeps(
        m.scheduler,
        { getMempoolEntry: () => notFound, getBlock },
        { changes$, isSpent: () => m.cold('s 1199ms u', spent) },
      )
      m.expect(letters(createTransactionStatus(deps)(ID)), '^ 1900ms !').toBeObservable('u-0-m 999ms c 199ms m')
    }),
  )
})
