import { describe, expect, it } from 'vitest'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { createJsonCodec } from '../../src/wrpc/json/codec.js'
import { bytesOf } from './recorded.js'

const borsh = createBorshCodec()
const json = createJsonCodec()

/** An answer of success in Borsh, with whatever body. */
const answer = (op: number, body: string): Uint8Array<ArrayBuffer> =>
  bytesOf(`0101000000000000000001${op.toString(16)}01${littleEndian(body.length / 2)}${body}`)

const littleEndian = (value: number): string =>
  [0, 8, 16, 24].map((shift) => ((value >>> shift) & 255).toString(16).padStart(2, '0')).join('')

const FOUR_GIB = 'ffffffff'

describe('a length that the frame does not hold', () => {
  it.each([
    ['of a text', answer(141, `0100${FOUR_GIB}`)],
    ['of a list of hashes', answer(128, `0100${FOUR_GIB}`)],
    ['of a box', answer(126, `0100${FOUR_GIB}`)],
    ['of a boxed list', answer(135, `010004000000${FOUR_GIB}`)],
    ['of the body', bytesOf(`01010000000000000000018d01${FOUR_GIB}0100`)],
    ['of an error text', bytesOf(`01010000000000000000017e000d${FOUR_GIB}`)],
    ['of runs of levels', answer(151, `0100${'00000000'.repeat(2)}${FOUR_GIB}`)],
  ])('%s costs that call, and nothing else', (_, frame) => {
    expect(borsh.decodeMessage(frame)).toMatchObject({ kind: 'malformed', id: 1n, error: { code: 'malformed' } })
  })

  it('names the notification that could not be read', () => {
    const frame = bytesOf(`00ff0140${littleEndian(10)}01000400${littleEndian(2)}0100`)
    expect(borsh.decodeMessage(frame)).toMatchObject({
      kind: 'malformed',
      id: undefined,
      error: { method: 'utxos-changed' },
    })
  })
})

describe('JSON that wants to be too much', () => {
  it('is no danger when it is a million brackets deep', () => {
    const deep = `{"id":1,"method":"getInfo","params":${'['.repeat(1_000_000)}`
    expect(json.decodeMessage(deep)).toMatchObject({ kind: 'malformed' })
    expect(json.decodeRequest(`${deep}${']'.repeat(1_000_000)}}`)).toMatchObject({
      kind: 'unreadable',
      method: 'getInfo',
    })
  })

  it('is read when one text of it is 15 MiB long, beside a long number', () => {
    const long = 'a'.repeat(15 * 2 ** 20)
    const frame = `{"method":"ping","params":{},"x":"${long}","id":18446744073709551615}`
    expect(json.decodeRequest(frame)).toEqual({ kind: 'request', id: 2n ** 64n - 1n, method: 'ping', request: {} })
  })

  it('cannot give records a prototype or a constructor', () => {
    const frame = '{"id":1,"method":"getSink","params":{"__proto__":{"sink":"' + 'ab'.repeat(32) + '"}}}'
    expect(json.decodeMessage(frame)).toMatchObject({ kind: 'malformed' })
    expect(json.decodeRequest('{"id":1,"method":"constructor","params":{}}')).toMatchObject({ kind: 'fatal' })
  })

  it('is not taken for a list of millions of levels', () => {
    const params =
      '{"addedChainBlockHashes":[],"removedChainBlockHashes":[],"chainBlockAcceptedTransactions":[{"acceptedTransactions":[],"chainBlockHeader":{"parentsByLevel":[[4294967295,[]]]}}]}'
    const frame = `{"id":1,"method":"getVirtualChainFromBlockV2","params":${params}}`
    expect(json.decodeMessage(frame)).toMatchObject({ kind: 'malformed' })
  })
})

describe('a value that has no place on the wire', () => {
  it.each([borsh, json])('is refused by its name before half a frame is written, in $encoding', (codec) => {
    const request = { hash: 'ab', includeTransactions: true }
    expect(() => codec.encodeRequest(1n, 'getBlock', request)).toThrow(
      expect.objectContaining({ code: 'invalid-argument', argument: 'hash', message: '"hash" is not 64 hex digits' }),
    )
    expect(() => codec.encodeRequest(1n, 'getUtxosByAddresses', { addresses: [5 as never] })).toThrow(
      expect.objectContaining({ argument: 'addresses[0]' }),
    )
    expect(() => codec.encodeRequest(1n, 'subscribe', { scope: { type: 'weather' } as never })).toThrow(
      expect.objectContaining({ argument: 'scope' }),
    )
  })
})
