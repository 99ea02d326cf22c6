import { NEVER, Subject, concat, map, of, throwError } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import type { UtxoState } from '../../../src/streams/utxos/state.js'
import { ALICE, BOB, coin } from '../../streams/utxos/coins.js'
import { createEngineScene, listen, type EngineScene } from './scene.js'

let scene: EngineScene
beforeEach(async () => {
  scene = createEngineScene()
  scene.node.answer('getUtxosByAddresses', () => of({ entries: [coin(1)] }))
  await scene.engine.connection.connect()
})
afterEach(() => scene.engine.dispose())

const ledgerOf = (addresses: Parameters<EngineScene['engine']['utxos']>[0]) =>
  scene.engine.utxos(addresses, { mempoolInterval: 0 })

const tell = (removed: UtxoEntry[], added: UtxoEntry[]): void =>
  scene.node.notify({ type: 'utxos-changed', data: { removed, added } })

/** What the node was asked of subscriptions to coins. */
const asked = (verb: 'subscribe' | 'unsubscribe'): readonly string[] =>
  scene.node.calls
    .filter(({ method, request }) => method === verb && JSON.stringify(request).includes('utxos-changed'))
    .map(({ method }) => method)

const toWorth = ({ freshness, balance }: UtxoState): string => `${freshness} ${balance.mature}`
const isFresh = ({ heard }: { readonly heard: readonly string[] }) => expect.poll(() => heard.at(-1)).toMatch(/^fresh/)

describe('the state$ of a ledger', () => {
  it('is shared: who comes late gets the current state at once, and costs the node nothing', async () => {
    const { state$ } = ledgerOf([ALICE])
    const first = listen(state$.pipe(map(toWorth)))
    await isFresh(first)
    const calls = scene.node.calls.length
    expect(listen(state$.pipe(map(toWorth))).heard).toEqual(['fresh 100'])
    expect(listen(ledgerOf([ALICE]).state$.pipe(map(toWorth))).heard).toEqual(['fresh 100'])
    expect(scene.node.calls).toHaveLength(calls)
  })

  it('tells the newest last, at most once a frame', async () => {
    const ledger = listen(ledgerOf([ALICE]).state$.pipe(map(toWorth)))
    await isFresh(ledger)
    const before = ledger.heard.length
    for (const n of [2, 3, 4]) tell([], [coin(n)])
    await expect.poll(() => ledger.heard.slice(before)).toEqual(['fresh 1000'])
    tell([coin(4)], [])
    await expect.poll(() => ledger.heard.slice(before)).toEqual(['fresh 1000', 'fresh 600'])
  })

  it('never changes what it has emitted, read or unread', async () => {
    const states = listen(ledgerOf([ALICE]).state$)
    await expect.poll(() => states.heard.at(-1)?.freshness).toBe('fresh')
    const [then] = states.heard.slice(-1)
    tell([coin(1)], [coin(2)])
    await expect.poll(() => states.heard.at(-1)?.balance.mature).toBe(200n)
    expect(then?.entries).toEqual([coin(1)])
    expect(then?.entries).toBe(then?.entries)
  })

  it('has the node tell of an address once, whoever tracks it, and lets go of it a moment after the last has left', async () => {
    const ledgers = [listen(ledgerOf([ALICE]).state$), listen(ledgerOf([ALICE, BOB]).state$)]
    await expect.poll(() => ledgers[1]?.heard.at(-1)?.freshness).toBe('fresh')
    ledgers[0]?.leave()
    ledgers[1]?.leave()
    expect(asked('unsubscribe')).toEqual([])
    await expect.poll(() => scene.node.sockets.at(-1)?.following.addresses).toEqual([])
  })

  it('never errors: a failure is a value in it, also one of `addresses`', async () => {
    const broken = listen(ledgerOf(concat(of([ALICE]), throwError(() => new Error('no more')))).state$) // prettier-ignore
    await expect
      .poll(() => broken.heard.at(-1)?.error)
      .toMatchObject({ argument: 'addresses', cause: new Error('no more') })
    expect(broken.end).toEqual([])
  })

  it('keeps to the last addresses where `addresses` end, and completes with the engine', async () => {
    const addresses$ = new Subject<string[]>()
    const ledger = listen(ledgerOf(addresses$).state$.pipe(map(toWorth)))
    const none = listen(ledgerOf(NEVER).state$)
    addresses$.next([ALICE])
    addresses$.complete()
    await isFresh(ledger)
    expect(ledger.end).toEqual([])
    await scene.engine.dispose()
    expect([ledger.end, none.end]).toEqual([['complete'], ['complete']])
  })
})
