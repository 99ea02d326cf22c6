import { afterEach, describe, expect, it, vi } from 'vitest'
import type { RpcResponse } from '../../src/node/messages/records.js'
import { decodeShape } from '../../src/rest/decoding/shape.js'
import { utxos as utxosShape } from '../../src/rest/records/addresses.js'
import { createSeenBlocks } from '../../src/streams/fetch-blocks.js'
import { groupByAddress } from '../../src/streams/utxos/store/delta.js'
import { createUtxoSets } from '../../src/streams/utxos/store/utxo-sets.js'
import { validateEntries } from '../../src/streams/utxos/store/invalid-entries.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { createJsonCodec } from '../../src/wrpc/json/codec.js'
import { ALICE, utxo } from '../streams/utxos/utxo-fixtures.js'
import { finish } from '../../src/loading/steps.js'
import { fixtures } from '../../src/testing/fixtures/fixtures.js'

/** Steps are counted, not timed: `npm run bench` has the times. */

const SMALL = 200
const FACTOR = 10

afterEach(() => {
  vi.restoreAllMocks()
})

/** A value whose property reads, its own and those of all records in it, are counted. */
function counted<T>(value: T, onRead: () => void): T {
  if (typeof value !== 'object' || value === null) return value
  return new Proxy(value, {
    get: (target, name, receiver) => {
      onRead()
      const found: unknown = Reflect.get(target, name, receiver)
      return typeof found === 'object' && found !== null ? counted(found, onRead) : found
    },
  })
}

/** Steps of `work` on `n` items and on `FACTOR` times as many. */
function growth(work: (n: number, step: () => void) => void): { readonly steps: number; readonly ratio: number } {
  const stepsOf = (n: number): number => {
    let steps = 0
    work(n, () => steps++)
    return steps
  }
  const steps = stepsOf(SMALL)
  return { steps, ratio: stepsOf(FACTOR * SMALL) / steps }
}

const entries = (n: number) => Array.from({ length: n }, (_, at) => utxo(at + 1))
const BLOCK = fixtures.block()
/** Their hashes are numbers: computed ones of tens of thousands take most of the time. */
const blocks = (n: number) =>
  Array.from({ length: n }, (_, at) => ({
    ...BLOCK,
    header: { ...BLOCK.header, hash: at.toString(16).padStart(64, '0') },
  }))
const responseOf = (n: number): RpcResponse<'getUtxosByAddresses'> => ({ entries: entries(n) })
const chainOf = (n: number): RpcResponse<'getVirtualChainFromBlock'> => {
  const hashes = blocks(n).map(({ header }) => header.hash)
  return {
    removedChainBlockHashes: hashes,
    addedChainBlockHashes: hashes,
    acceptedTransactionIds: hashes.map((hash) => ({ acceptingBlockHash: hash, acceptedTransactionIds: [hash, hash] })),
  }
}

/** The getters of `DataView`, by which the Borsh codec reads numbers. */
const READERS = ['getUint8', 'getUint16', 'getUint32', 'getInt32', 'getBigUint64', 'getFloat64'] as const

describe('A: the steps of a decoder grow with the bytes received', () => {
  const REPLIES = {
    'UTXO entries': (n: number) => ['getUtxosByAddresses', responseOf(n)] as const,
    'the virtual chain': (n: number) => ['getVirtualChainFromBlock', chainOf(n)] as const,
  }

  it.each(Object.entries(REPLIES))('in Borsh: %s', (_, replyOf) => {
    const codec = createBorshCodec()
    const { steps, ratio } = growth((n, step) => {
      const [method, response] = replyOf(n)
      const frame = codec.encodeResponse(1n, method, response)
      for (const name of READERS) {
        const read = DataView.prototype[name] as (...args: number[]) => number
        vi.spyOn(DataView.prototype, name).mockImplementation(function (this: DataView, ...args: number[]) {
          step()
          return read.apply(this, args) as never
        })
      }
      expect(codec.decodeMessage(frame, () => method).kind).toBe('response')
      vi.restoreAllMocks()
    })
    expect(steps).toBeGreaterThan(SMALL)
    expect(ratio).toBeLessThan(1.05 * FACTOR)
  })

  it.each(Object.entries(REPLIES))('in JSON: %s', (_, replyOf) => {
    const codec = createJsonCodec()
    const { steps, ratio } = growth((n, step) => {
      const [method, response] = replyOf(n)
      const frame = codec.encodeResponse(1n, method, response)
      const parse = JSON.parse.bind(JSON)
      vi.spyOn(JSON, 'parse').mockImplementation((text) => counted(parse(text) as unknown, step))
      expect(codec.decodeMessage(frame, () => method).kind).toBe('response')
      vi.restoreAllMocks()
    })
    expect(steps).toBeGreaterThan(SMALL)
    expect(ratio).toBeLessThan(1.05 * FACTOR)
  })

  it('of a REST response', () => {
    const { steps, ratio } = growth((n, step) => {
      const body = entries(n).map(({ address, outpoint, amount, scriptPublicKey }) => ({
        address,
        outpoint,
        utxoEntry: {
          amount: amount.toString(),
          scriptPublicKey: { scriptPublicKey: scriptPublicKey.script },
          blockDaaScore: '1',
          isCoinbase: false,
        },
      }))
      decodeShape(utxosShape as never, counted(body, step))
    })
    expect(steps).toBeGreaterThan(SMALL)
    expect(ratio).toBeLessThan(1.05 * FACTOR)
  })
})

describe('A: the steps of a reducer grow with the records received', () => {
  const live = () => {
    const utxoSets = createUtxoSets()
    const set = utxoSets.open(ALICE)
    for (const type of ['connected', 'placed', 'fetchStarted'] as const) utxoSets.dispatch(set, { type })
    return { utxoSets, set }
  }

  it.each<[string, (n: number, step: () => void) => void]>([
    [
      'of a snapshot',
      (n, step) => {
        const { utxoSets, set } = live()
        utxoSets.load([set], finish(utxoSets.prepare(counted(entries(n), step))))
      },
    ],
    [
      'of a second snapshot, all of it new',
      (n, step) => {
        const { utxoSets, set } = live()
        utxoSets.load([set], finish(utxoSets.prepare(entries(n))))
        for (const type of ['invalidated', 'fetchStarted'] as const) utxoSets.dispatch(set, { type })
        const others = entries(2 * n).slice(n)
        utxoSets.load([set], finish(utxoSets.prepare(counted(others, step))))
      },
    ],
    [
      'of deltas of one entry',
      (n, step) => {
        const { utxoSets, set } = live()
        utxoSets.load([set], finish(utxoSets.prepare([])))
        for (const entry of entries(n)) utxoSets.apply({ removed: [], added: [counted(entry, step)] })
      },
    ],
    [
      'of deltas that contradict each other',
      (n, step) => {
        const { utxoSets, set } = live()
        utxoSets.load([set], finish(utxoSets.prepare(entries(n))))
        const doubled = entries(n).map((entry) => ({ ...entry, amount: entry.amount + 1n }))
        for (const entry of doubled) utxoSets.apply({ removed: [], added: [counted(entry, step)] })
      },
    ],
    [
      'of deltas during a fetch',
      (n, step) => {
        const { utxoSets, set } = live()
        for (const entry of entries(n)) utxoSets.apply({ removed: [], added: [counted(entry, step)] })
        utxoSets.load([set], finish(utxoSets.prepare([])))
      },
    ],
    ['that groups entries', (n, step) => void groupByAddress({ removed: [], added: counted(entries(n), step) })],
    [
      'that validates entries',
      (n, step) => void validateEntries(counted(entries(n), step), utxo(1).scriptPublicKey, 10n ** 18n),
    ],
    [
      'of blocks, most of them pruned again',
      (n, step) => {
        const seen = createSeenBlocks()
        for (const block of blocks(30 * n)) seen.addNotified(counted(block, step))
      },
    ],
  ])('%s', (_, work) => {
    const { steps, ratio } = growth(work)
    expect(steps).toBeGreaterThanOrEqual(SMALL)
    expect(ratio).toBeLessThan(1.2 * FACTOR)
  })
})
