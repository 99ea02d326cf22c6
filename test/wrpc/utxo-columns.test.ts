import fc from 'fast-check'
import { firstValueFrom, lastValueFrom, toArray } from 'rxjs'
import { afterEach, describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../src/errors/rpc-error.js'
import { finish } from '../../src/loading/steps.js'
import type { UtxoColumns } from '../../src/model/utxo-columns/columns.js'
import { encodeAddress, toScriptPublicKey } from '../../src/model/address.js'
import { toHex } from '../../src/model/hex.js'
import { toEntry } from '../../src/model/utxo-columns/records.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import { methodEntry } from '../../src/node/messages/lookup.js'
import type { RpcResponse } from '../../src/node/messages/records.js'
import { createServerPlatform } from '../../src/platform/detect.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { createNodePort } from '../../src/wrpc/client.js'
import type { Frame, WireCodec } from '../../src/wrpc/codec.js'
import { createJsonCodec } from '../../src/wrpc/json/codec.js'
import { MalformedFrame } from '../../src/wrpc/wire-errors.js'
import { runs } from '../full.js'
import { ALICE, BOB, utxo } from '../streams/utxos/utxo-fixtures.js'
import { startWireNode, type WireNode, type WireResponders } from '../wire-node.js'
import { valueOf } from './arbitrary.js'
import { bytesOf, fixture, methodOf, type RecordedCall } from './recorded.js'

const METHOD = 'getUtxosByAddresses'
type Response = RpcResponse<typeof METHOD>

const SCRIPT_HASH = encodeAddress('kaspasim', 'ScriptHash', new Uint8Array(32).fill(9))

const responses = valueOf(methodEntry(METHOD).response) as fc.Arbitrary<Response>
const toEntries = (columns: UtxoColumns): UtxoEntry[] =>
  Array.from({ length: columns.count }, (_, row) => toEntry(columns, row))

const hexOf = (bytes: number): fc.Arbitrary<string> =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((all) => toHex(all))

const bytesOfFrame = (frame: Frame): Uint8Array<ArrayBuffer> =>
  typeof frame === 'string' ? new TextEncoder().encode(frame) : frame

/** The columns of a response; throws what a step throws, or the error of the whole frame. */
function decodeColumns(codec: WireCodec, frame: Frame): UtxoEntry[] {
  const message = codec.decodeMessage(frame, undefined, () => 'columns')
  if (message.kind === 'malformed') throw message.error
  if (message.kind !== 'columns') throw new Error(`Not columns: ${message.kind}`)
  return toEntries(finish(message.columns))
}

describe.each([createBorshCodec(), createJsonCodec()])('a response of UTXOs as columns, in $encoding', (codec) => {
  it('has the entries of the same response as records', () => {
    fc.assert(
      fc.property(responses, (response) => {
        expect(decodeColumns(codec, codec.encodeResponse(1n, METHOD, response))).toEqual(response.entries)
      }),
      { numRuns: runs(100) },
    )
  })

  it('is malformed where the frame is cut, and nothing else is thrown', () => {
    const frame = codec.encodeResponse(1n, METHOD, { entries: [utxo(1), utxo(2, { covenantId: 'ab'.repeat(32) })] })
    for (let length = 12; length < frame.length - 1; length += 7) {
      const cut = typeof frame === 'string' ? frame.slice(0, length) : frame.slice(0, length)
      const malformed = expect.objectContaining({
        name: expect.stringMatching(/MalformedFrame|ChainRpcError/) as string,
      })
      expect(() => decodeColumns(codec, cut)).toThrow(malformed as Error)
    }
  })
})

/** Entries in runs of one script each, as a node reports one address after the other. */
const runsOfEntries = fc
  .array(
    fc.record({
      target: fc.constantFrom<Pick<UtxoEntry, 'address' | 'scriptPublicKey'>>(
        { address: ALICE, scriptPublicKey: toScriptPublicKey(ALICE) },
        { address: BOB, scriptPublicKey: toScriptPublicKey(BOB) },
        { address: SCRIPT_HASH, scriptPublicKey: toScriptPublicKey(SCRIPT_HASH) },
        { address: undefined, scriptPublicKey: { version: 0, script: '' } },
        { address: undefined, scriptPublicKey: { version: 1, script: '51' } },
      ),
      entries: fc.array(
        fc.record({
          outpoint: fc.record({ transactionId: hexOf(32), index: fc.nat({ max: 2 ** 32 - 1 }) }),
          amount: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
          blockDaaScore: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
          isCoinbase: fc.boolean(),
          covenantId: fc.option(hexOf(32), { nil: undefined, freq: 5 }),
        }),
        { maxLength: 6 },
      ),
    }),
    { maxLength: 6 },
  )
  .map((all): UtxoEntry[] => all.flatMap(({ target, entries }) => entries.map((entry) => ({ ...target, ...entry }))))

/** The decoded entries, or that there are none. */
function outcomeOf(decode: () => readonly UtxoEntry[]): readonly UtxoEntry[] | 'malformed' {
  try {
    return decode()
  } catch (error) {
    if (error instanceof MalformedFrame || error instanceof ChainRpcError) return 'malformed'
    throw error
  }
}

function decodeRecords(codec: WireCodec, frame: Frame): readonly UtxoEntry[] {
  const message = codec.decodeMessage(frame, () => METHOD)
  if (message.kind === 'malformed') throw message.error
  if (message.kind !== 'response' || message.method !== METHOD) throw new Error(`Not UTXOs: ${message.kind}`)
  return message.response.entries
}

describe('runs of entries of one address as columns, in Borsh', () => {
  const codec = createBorshCodec()
  /** Bytes in front of the response: id, kind, operation, success. */
  const HEAD = 13

  it('have the entries of the same response as records', () => {
    fc.assert(
      fc.property(runsOfEntries, (entries) => {
        expect(decodeColumns(codec, codec.encodeResponse(1n, METHOD, { entries }))).toEqual(entries)
      }),
      { numRuns: runs(200) },
    )
  })

  it('have the same entries as records, or none, whatever byte of the frame is another', () => {
    const addresses = [ALICE, ALICE, ALICE, SCRIPT_HASH, SCRIPT_HASH, BOB]
    const entries = addresses.map((address, n) => utxo(n + 1, { address, isCoinbase: n === 1 }))
    const covenant = utxo(20, { covenantId: 'ab'.repeat(32) })
    const noAddress = utxo(21, { address: undefined, scriptPublicKey: { version: 0, script: '' } })
    const frame = bytesOfFrame(
      codec.encodeResponse(1n, METHOD, { entries: [...entries, covenant, utxo(22), noAddress, noAddress] }),
    )
    for (let at = HEAD; at < frame.length; at++) {
      for (const change of [2, 255]) {
        const changed = frame.slice()
        changed[at] = (changed[at] ?? 0) ^ change
        const records = outcomeOf(() => decodeRecords(codec, changed))
        expect(
          outcomeOf(() => decodeColumns(codec, changed)),
          `byte ${at} ^ ${change}`,
        ).toEqual(records)
      }
    }
  })
})

describe('a long JSON response of UTXOs as columns, which is parsed in parts', () => {
  const codec = createJsonCodec()
  const entries = Array.from({ length: 1_000 }, (_, n) => utxo(n + 1))
  const message = String(codec.encodeResponse(1n, METHOD, { entries }))

  it('has the entries of the same response as records', () => {
    fc.assert(
      fc.property(fc.array(responses, { minLength: 1, maxLength: 3 }), (some) => {
        const mixed = entries.flatMap((entry, n) => [entry, ...(some[n % some.length]?.entries ?? [])])
        const frame = codec.encodeResponse(1n, METHOD, { entries: mixed })
        expect(decodeColumns(codec, frame)).toEqual(mixed)
      }),
      { numRuns: runs(5) },
    )
  })

  it('has exact amounts and DAA scores, also those that a JavaScript number cannot hold', () => {
    const values = [2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 10n ** 16n + 1n, 2n ** 63n + 1n, 2n ** 64n - 1n]
    const long = entries.map((entry, n) => {
      const value = values[Math.floor(n / 7) % values.length] ?? 0n
      return n % 7 > 1 ? entry : { ...entry, [n % 7 === 0 ? 'amount' : 'blockDaaScore']: value }
    })
    expect(decodeColumns(codec, codec.encodeResponse(1n, METHOD, { entries: long }))).toEqual(long)
    const one = entries.map((entry, n) => (n === 500 ? { ...entry, amount: 2n ** 53n + 1n } : entry))
    expect(decodeColumns(codec, codec.encodeResponse(1n, METHOD, { entries: one }))).toEqual(one)
  })

  it('has ids in lower case where some are written in upper case', () => {
    const { transactionId } = utxo(171).outpoint
    const upper = message.replace(transactionId, transactionId.toUpperCase())
    expect(upper).not.toBe(message)
    expect(decodeColumns(codec, upper)).toEqual(entries)
  })

  it('is decoded in several steps', () => {
    const decoded = codec.decodeMessage(message, undefined, () => 'columns')
    if (decoded.kind !== 'columns') throw new Error(`Not columns: ${decoded.kind}`)
    expect(decoded.columns.next().done).toBe(false)
  })

  it.each([
    ['another list follows', message.replace(/\]\}\}$/, '],"more":[1,2]}}')],
    ['spaces surround its records', message.replaceAll('}},{', ' } } , { ')],
    ['the last field of an entry is none of a record', message.replaceAll('}},{', '},"more":1},{')],
    ['a text contains what separates two entries', message.replaceAll('"utxoEntry"', '"more":"}},{","utxoEntry"')],
  ])('has the same entries where %s', (_, text) => {
    expect(decodeColumns(codec, text)).toEqual(entries)
  })

  it.each([
    ['an entry is no record', message.replace('}},{', '}},1,{')],
    ['a list ends within it', message.replace('}},{', '}}],[{')],
    ['it is cut', message.slice(0, -1_000)],
    ['an id is no hex', message.replace(utxo(900).outpoint.transactionId, 'z'.repeat(64))],
  ])('is malformed where %s', (_, text) => {
    const malformed = expect.objectContaining({ name: expect.stringMatching(/MalformedFrame|ChainRpcError/) as string })
    expect(() => decodeColumns(codec, text)).toThrow(malformed as Error)
  })

  it('is the error where the node reports one, and a record where columns are not requested', () => {
    const refused = message.replace('"params"', '"error":{"code":0,"message":"no index","data":null},"params"')
    expect(codec.decodeMessage(refused, undefined, () => 'columns')).toMatchObject({ kind: 'error', id: 1n })
    expect(codec.decodeMessage(message, undefined, () => 'record')).toMatchObject({ kind: 'response', id: 1n })
  })
})

it.each([
  ['Borsh', createBorshCodec(), 'node-2.1.0/borsh.json'],
  ['JSON', createJsonCodec(), 'node-2.1.0/json.json'],
] as const)('UTXOs recorded from kaspad 2.1.0 in %s are the same as columns', (_, codec, path) => {
  const { calls } = fixture(path) as { calls: RecordedCall[] }
  let entries = 0
  for (const { response } of calls.filter(({ name }) => methodOf(name) === METHOD)) {
    const frame = codec.encoding === 'Borsh' ? bytesOf(response) : response
    const message = codec.decodeMessage(frame)
    if (message.kind !== 'response' || message.method !== METHOD) throw new Error('No UTXOs')
    entries += message.response.entries.length
    expect(decodeColumns(codec, frame)).toEqual(message.response.entries)
  }
  expect(entries).toBeGreaterThan(0)
})

let node: WireNode | undefined
afterEach(async () => {
  await node?.close()
  node = undefined
})

/** The result of `utxoColumns` at a node that responds so. */
async function fetchColumns(respond: NonNullable<WireResponders[typeof METHOD]>): Promise<UtxoEntry[][]> {
  node = await startWireNode('Borsh', { [METHOD]: respond })
  const dial$ = createNodePort(createServerPlatform()).dial({ url: node.url(), encoding: 'Borsh' })
  const connection = await firstValueFrom(dial$)
  try {
    const columns$ = connection.utxoColumns?.([ALICE])
    if (columns$ === undefined) throw new Error('The port has no columns')
    return (await lastValueFrom(columns$.pipe(toArray()))).map(toEntries)
  } finally {
    connection.close()
  }
}

describe('a connection that requests UTXOs as columns', () => {
  it('receives more than one step can decode, and ignores a duplicate', async () => {
    const entries = Array.from({ length: 20_000 }, (_, n) => utxo(n + 1))
    const results = await fetchColumns((_, { client, encode }) => {
      const frame = encode({ entries })
      client.send(frame)
      return frame
    })
    expect(results.map(({ length }) => length)).toEqual([20_000])
    expect(results[0]?.at(-1)).toEqual(utxo(20_000))
  })

  it("rejects with the node's error", async () => {
    const refused = fetchColumns(() => {
      throw new Error('no index')
    })
    await expect(refused).rejects.toMatchObject({ code: 'remote', method: METHOD })
  })

  it('rejects a response that cannot be decoded', async () => {
    const broken = fetchColumns((_, { encode }) => {
      const frame = encode({ entries: [utxo(1)] })
      return typeof frame === 'string' ? frame : frame.slice(0, -20)
    })
    await expect(broken).rejects.toMatchObject({ code: 'malformed', method: METHOD })
  })
})
