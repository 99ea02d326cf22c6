import { NEVER, Subject, concat, map, of, throwError } from 'rxjs'
import { beforeEach, describe, expect, it } from 'vitest'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import type { UtxoState } from '../../../src/streams/utxos/view/state.js'
import { ALICE, BOB, utxo } from '../../streams/utxos/utxo-fixtures.js'
import { createEngineHarness, record, type EngineHarness } from './engine-harness.js'

let harness: EngineHarness
beforeEach(async () => {
  harness = createEngineHarness()
  harness.node.respond('getUtxosByAddresses', () => of({ entries: [utxo(1)] }))
  await harness.engine.connection.connect()
})

const trackerOf = (addresses: Parameters<EngineHarness['engine']['utxos']>[0]) =>
  harness.engine.utxos(addresses, { mempoolInterval: 0 })

const notifyUtxos = (removed: UtxoEntry[], added: UtxoEntry[]): void =>
  harness.node.notify({ type: 'utxos-changed', data: { removed, added } })

/** Subscribe or unsubscribe calls for `utxos-changed`. */
const utxoSubscriptions = (command: 'subscribe' | 'unsubscribe'): readonly string[] =>
  harness.node.calls
    .filter(({ method, request }) => method === command && JSON.stringify(request).includes('utxos-changed'))
    .map(({ method }) => method)

const toSummary = ({ freshness, balance }: UtxoState): string => `${freshness} ${balance.mature}`
const isFresh = ({ received }: { readonly received: readonly string[] }) =>
  expect.poll(() => received.at(-1)).toMatch(/^fresh/)

describe('the state$ of a UTXO tracker', () => {
  it('is shared: replays the current state to a late subscriber, without a call', async () => {
    const { state$ } = trackerOf([ALICE])
    const first = record(state$.pipe(map(toSummary)))
    await isFresh(first)
    const calls = harness.node.calls.length
    expect(record(state$.pipe(map(toSummary))).received).toEqual(['fresh 100'])
    expect(record(trackerOf([ALICE]).state$.pipe(map(toSummary))).received).toEqual(['fresh 100'])
    expect(harness.node.calls).toHaveLength(calls)
  })

  it('emits at most once per frame, the newest state last', async () => {
    const tracker = record(trackerOf([ALICE]).state$.pipe(map(toSummary)))
    await isFresh(tracker)
    const before = tracker.received.length
    for (const n of [2, 3, 4]) notifyUtxos([], [utxo(n)])
    await expect.poll(() => tracker.received.slice(before)).toEqual(['fresh 1000'])
    notifyUtxos([utxo(4)], [])
    await expect.poll(() => tracker.received.slice(before)).toEqual(['fresh 1000', 'fresh 600'])
  })

  it('never mutates an emitted state', async () => {
    const states = record(trackerOf([ALICE]).state$)
    await expect.poll(() => states.received.at(-1)?.freshness).toBe('fresh')
    const [then] = states.received.slice(-1)
    notifyUtxos([utxo(1)], [utxo(2)])
    await expect.poll(() => states.received.at(-1)?.balance.mature).toBe(200n)
    expect(then?.entries).toEqual([utxo(1)])
    expect(then?.entries).toBe(then?.entries)
  })

  it('subscribes to an address once for all trackers, and unsubscribes after the last subscriber', async () => {
    const trackers = [record(trackerOf([ALICE]).state$), record(trackerOf([ALICE, BOB]).state$)]
    await expect.poll(() => trackers[1]?.received.at(-1)?.freshness).toBe('fresh')
    trackers[0]?.unsubscribe()
    trackers[1]?.unsubscribe()
    expect(utxoSubscriptions('unsubscribe')).toEqual([])
    await expect.poll(() => harness.node.sockets.at(-1)?.subscriptions.addresses).toEqual([])
  })

  it('never errors: a failure, also of `addresses`, is a value', async () => {
    const broken = record(trackerOf(concat(of([ALICE]), throwError(() => new Error('no more')))).state$) // prettier-ignore
    await expect
      .poll(() => broken.received.at(-1)?.error)
      .toMatchObject({ argument: 'addresses', cause: new Error('no more') })
    expect(broken.end).toEqual([])
  })

  it('keeps the last addresses where `addresses` completes, and completes with the engine', async () => {
    const addresses$ = new Subject<string[]>()
    const tracker = record(trackerOf(addresses$).state$.pipe(map(toSummary)))
    const none = record(trackerOf(NEVER).state$)
    addresses$.next([ALICE])
    addresses$.complete()
    await isFresh(tracker)
    expect(tracker.end).toEqual([])
    await harness.engine.dispose()
    expect([tracker.end, none.end]).toEqual([['complete'], ['complete']])
  })
})
