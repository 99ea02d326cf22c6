import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { MAX_SOMPI } from '../../src/model/amount.js'
import { encodeAddress, toScriptPublicKey } from '../../src/model/address.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import type { ChainLogger } from '../../src/platform/port.js'
import type { ConnectionState } from '../../src/streams/connection/state.js'
import type { UtxoState } from '../../src/streams/utxos/view/state.js'
import { FULL } from '../full.js'
import { ALICE, BOB, utxo } from '../streams/utxos/utxo-fixtures.js'
import { ENCODINGS, SERVER_INFO, startWireNode, type WireNode } from '../wire-node.js'

/** An entry of Alice's with another script. */
const planted = (n: number, more: Partial<UtxoEntry> = {}): UtxoEntry =>
  utxo(n, { scriptPublicKey: toScriptPublicKey(BOB), ...more })

describe.each(ENCODINGS)('a hostile node, %s', (encoding) => {
  const warnings: unknown[] = []
  const ignore = (): void => undefined
  const logger: ChainLogger = {
    debug: ignore,
    info: ignore,
    warn: (...line) => void warnings.push(line),
    error: ignore,
  }
  let node: WireNode
  let engine: ChainEngine
  let state: UtxoState

  beforeEach(async () => {
    warnings.length = 0
    node = await startWireNode(encoding)
    engine = createChainEngine({
      network: 'simnet',
      encoding,
      logger,
      resolver: false,
      url: node.url(),
      reconnect: { baseDelay: 1, maxRetries: 3 },
    })
  })
  afterEach(async () => {
    await engine.dispose()
    await node.close()
  })

  const track = async (snapshot: readonly UtxoEntry[], addresses: readonly string[] = [ALICE]): Promise<void> => {
    node.respond({ getUtxosByAddresses: () => ({ entries: [...snapshot] }) })
    await engine.connection.connect()
    const tracker = engine.utxos(addresses, { mempoolInterval: 0 })
    tracker.state$.subscribe((next) => (state = next))
    await tracker.ready()
  }
  const change = (removed: UtxoEntry[], added: UtxoEntry[]): void =>
    node.notify({ type: 'utxos-changed', data: { removed, added } })
  const ids = (entries: readonly UtxoEntry[]): readonly number[] =>
    entries.map(({ outpoint }) => Number(`0x${outpoint.transactionId}`)).sort((a, b) => a - b)
  const reasons = (): readonly string[] =>
    state.invalidEntries.map(({ outpoint, reason }) => `${Number(`0x${outpoint.transactionId}`)} ${reason}`)

  it('M1 adds no entry whose script is not that of its address', async () => {
    await track([
      utxo(1),
      planted(2),
      utxo(3, { scriptPublicKey: { version: 1, script: utxo(3).scriptPublicKey.script } }),
    ])
    expect(ids(state.entries)).toEqual([1])
    expect(state.balance.mature).toBe(100n)
    expect(reasons()).toEqual(['2 script', '3 script'])
    expect(warnings).toEqual([
      [
        expect.stringContaining('not valid'),
        { address: ALICE, count: 2, entries: [2, 3].map((n) => ({ outpoint: utxo(n).outpoint, reason: 'script' })) },
      ],
    ])
    change([], [planted(4), utxo(5)])
    await expect.poll(() => ids(state.matureEntries)).toEqual([1, 5])
    expect(state.invalidEntryCount).toBe(3)
  })

  it('M1 lists the newest 100 invalid entries and counts all of them', async () => {
    await track(Array.from({ length: 150 }, (_, n) => planted(n + 1)))
    expect(state.invalidEntries).toHaveLength(100)
    expect(reasons().slice(-2)).toEqual(['149 script', '150 script'])
    expect(state.invalidEntryCount).toBe(150)
  })

  it('M5 uses no outpoint with two amounts until another host reports one of them', async () => {
    await track([utxo(1), utxo(2)])
    change([utxo(1)], [])
    change([], [utxo(1, { amount: 7n })])
    await expect.poll(reasons).toEqual(['1 conflict'])
    expect(ids(state.entries)).toEqual([2])

    node.respond({ getUtxosByAddresses: () => ({ entries: [utxo(1), utxo(2)] }) })
    node.drop()
    await expect.poll(() => node.callCount('getUtxosByAddresses')).toBeGreaterThan(1) // a busy machine may retry
    await expect.poll(() => state.freshness).toBe('fresh')
    expect(reasons()).toEqual(['1 conflict'])

    await engine.connection.connect({ url: node.url('localhost') })
    await expect.poll(() => ids(state.matureEntries)).toEqual([1, 2])
    expect(state.balance.mature).toBe(300n)
    expect(reasons()).toEqual([])
  })

  it('M5 uses none of two amounts of one snapshot or one delta', async () => {
    await track([utxo(1), utxo(1, { amount: 7n }), utxo(2)])
    change([], [utxo(3), utxo(3, { amount: 7n }), utxo(3)])
    await expect.poll(reasons).toEqual(['1 conflict', '3 conflict'])
    expect(ids(state.entries)).toEqual([2])
  })

  it('M6 adds no entry with an amount that cannot exist', async () => {
    await track([
      utxo(1),
      utxo(2, { amount: 0n }),
      utxo(3, { amount: MAX_SOMPI + 1n }),
      utxo(4, { amount: 2n ** 64n - 1n }),
    ])
    expect(reasons()).toEqual(['2 amount', '3 amount', '4 amount'])
    change([], [utxo(5, { amount: 0n })])
    await expect.poll(reasons).toEqual(['2 amount', '3 amount', '4 amount', '5 amount'])
    expect(state.balance.mature).toBe(100n)
  })

  it('M6 counts entries of a later block as immature until its score, which is requested once', async () => {
    const ahead = utxo(2, { blockDaaScore: 1_005n })
    const impossible = utxo(4, { blockDaaScore: 2n ** 60n })
    let score = 1_005n
    await engine.connection.connect()
    node.respond({ getServerInfo: () => ({ ...SERVER_INFO, virtualDaaScore: score }) })
    const before = node.callCount('getServerInfo')
    await track([utxo(1), ahead, impossible])
    expect(ids(state.entries)).toEqual([1, 2, 4])
    expect(ids(state.matureEntries)).toEqual([1, 2])
    expect(state.balance).toMatchObject({ mature: 300n, pending: 400n })
    expect(node.callCount('getServerInfo')).toBeGreaterThan(before)

    score = 1_006n
    change([], [utxo(8, { blockDaaScore: 1_006n })])
    await expect.poll(() => ids(state.entries)).toContain(8)
    await expect.poll(() => ids(state.matureEntries)).toEqual([1, 2, 8])

    node.notify({ type: 'virtual-daa-score-changed', data: { virtualDaaScore: 2n ** 60n } })
    await expect.poll(() => ids(state.matureEntries)).toEqual([1, 2, 4, 8])
  })

  it('M6 adds no entries beyond the maximum supply', async () => {
    await track([utxo(1, { amount: MAX_SOMPI - 300n }), utxo(2), utxo(4)])
    change([], [utxo(3)])
    await expect.poll(reasons).toEqual(['4 supply', '3 supply'])
    expect(state.balance.mature).toBe(MAX_SOMPI - 100n)
  })

  it.each([
    ['a heartbeat', () => Promise.resolve()],
    ['a getServerInfo of the caller', () => engine.rpc.getServerInfo()],
    [
      'a decreasing score',
      () => {
        node.notify({ type: 'virtual-daa-score-changed', data: { virtualDaaScore: 900n } })
        node.notify({ type: 'virtual-daa-score-changed', data: { virtualDaaScore: 800n } })
        return Promise.resolve()
      },
    ],
  ])('M7 drops a connection whose network has changed, after %s', async (cause, trigger) => {
    await engine.dispose()
    engine = createChainEngine({
      network: 'simnet',
      encoding,
      resolver: false,
      url: node.url(),
      heartbeat: { interval: cause === 'a heartbeat' ? 5 : 60_000 },
    })
    const states: ConnectionState[] = []
    engine.connection.state$.subscribe((next) => states.push(next))
    await engine.connection.connect()
    node.respond({ getServerInfo: () => ({ ...SERVER_INFO, networkId: 'mainnet' }) })
    await trigger()
    await expect.poll(() => states.at(-1)).toMatchObject({ status: 'error', error: { code: 'wrong-network' } })
  })

  it('M7 clears the entries of a node whose network has changed', async () => {
    await track([utxo(1), planted(2)])
    expect(state).toMatchObject({ freshness: 'fresh', balance: { mature: 100n }, invalidEntryCount: 1 })
    node.respond({ getServerInfo: () => ({ ...SERVER_INFO, networkId: 'mainnet' }) })
    await engine.rpc.getServerInfo()
    await expect.poll(() => state.freshness).toBe('unknown')
    expect(state).toMatchObject({ reason: 'disconnected', balance: { mature: 0n, pending: 0n }, invalidEntryCount: 0 })
    expect(state.entries).toEqual([])

    node.respond({ getServerInfo: () => SERVER_INFO })
    await engine.connection.connect()
    await expect.poll(() => ids(state.matureEntries)).toEqual([1])
  })

  describe('S2 an outpoint of several addresses', () => {
    const WATCHED = Array.from({ length: 5 }, (_, n) =>
      encodeAddress('kaspasim', 'PubKey', new Uint8Array(32).fill(n + 1)),
    )
    const forAll = (n: number): UtxoEntry[] => WATCHED.map((address) => utxo(n, { address }))
    const counts = () => ({ mature: state.balance.mature, size: state.source.size, invalid: state.invalidEntryCount })

    it('is in one UTXO set, after a snapshot and after notifications', async () => {
      await track([...forAll(1), utxo(2, { address: WATCHED[2] ?? '' })], WATCHED)
      expect(state.freshness).toBe('fresh')
      expect(counts()).toEqual({ mature: 300n, size: 2, invalid: 4 })
      expect(new Set(reasons())).toEqual(new Set(['1 script']))

      change([], [...forAll(3), ...forAll(2)])
      await expect.poll(counts).toEqual({ mature: 600n, size: 3, invalid: 12 })
      expect(ids(state.entries)).toEqual([1, 2, 3])

      change(forAll(3), [])
      await expect.poll(() => ids(state.entries)).toEqual([1, 2])
      change([], [utxo(3, { address: WATCHED[4] ?? '' })])
      await expect.poll(() => state.entries.map(({ address }) => address)).toContain(WATCHED[4])
      expect(ids(state.entries)).toEqual([1, 2, 3])
    })

    it('moves to the address that a later snapshot reports', async () => {
      const [first = '', second = ''] = WATCHED
      await track([utxo(1, { address: second })], [first, second])
      node.respond({ getUtxosByAddresses: () => ({ entries: [utxo(1, { address: first })] }) })
      node.drop()
      await expect.poll(() => state.entries.map(({ address }) => address)).toEqual([first])
      await expect.poll(() => state.freshness).toBe('fresh')
      expect(counts()).toEqual({ mature: 100n, size: 1, invalid: 0 })
    })

    it('is compared once a second address is watched', async () => {
      const [first = '', second = ''] = WATCHED
      await track([utxo(1, { address: first })], [first])
      await track([utxo(1, { address: second }), utxo(2, { address: second })], [first, second])
      await expect.poll(() => state.freshness).toBe('fresh')
      expect(counts()).toEqual({ mature: 300n, size: 2, invalid: 1 })
    })
  })

  // 200,000 entries, which JSON decodes in 5 s: what is buffered is the same in both encodings.
  it.runIf(FULL || encoding === 'Borsh')(
    'A4 starts a snapshot again when it is withheld while notifications arrive',
    async () => {
      node.respond({ getUtxosByAddresses: () => undefined })
      await engine.connection.connect()
      engine.utxos([ALICE], { mempoolInterval: 0 }).state$.subscribe((next) => (state = next))
      await expect.poll(() => node.callCount('getUtxosByAddresses')).toBe(1)
      node.respond({ getUtxosByAddresses: () => ({ entries: [utxo(1)] }) })
      const removed = Array.from({ length: 25_001 }, (_, n) => utxo(n + 2))
      node.notify({ type: 'utxos-changed', data: { removed, added: [] } }, 8)
      await expect.poll(() => node.callCount('getUtxosByAddresses')).toBeGreaterThan(1) // a busy machine may retry
      await expect.poll(() => state.freshness).toBe('fresh')
      expect(ids(state.entries)).toEqual([1])
    },
  )
})
