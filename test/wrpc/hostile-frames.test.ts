import { describe, expect, it } from 'vitest'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { createJsonCodec } from '../../src/wrpc/json/codec.js'
import { bytesOf } from './recorded.js'

const borsh = createBorshCodec()
const json = createJsonCodec()

/** A success reply in Borsh with the given body. */
const success = (op: number, body: string): Uint8Array<ArrayBuffer> =>
  bytesOf(`0101000000000000000001${op.toString(16)}01${littleEndian(body.length / 2)}${body}`)

const littleEndian = (value: number): string =>
  [0, 8, 16, 24].map((shift) => ((value >>> shift) & 255).toString(16).padStart(2, '0')).join('')

const FOUR_GIB = 'ffffffff'

describe('a length beyond the end of the frame', () => {
  it.each([
    ['of a text', success(141, `0100${FOUR_GIB}`)],
    ['of a list of hashes', success(128, `0100${FOUR_GIB}`)],
    ['of a box', success(126, `0100${FOUR_GIB}`)],
    ['of a boxed list', success(135, `010004000000${FOUR_GIB}`)],
    ['of the body', bytesOf(`01010000000000000000018d01${FOUR_GIB}0100`)],
    ['of an error text', bytesOf(`01010000000000000000017e000d${FOUR_GIB}`)],
    ['of runs of levels', success(151, `0100${'00000000'.repeat(2)}${FOUR_GIB}`)],
  ])('%s fails only that call', (_, frame) => {
    expect(borsh.decodeMessage(frame)).toMatchObject({ kind: 'malformed', id: 1n, error: { code: 'malformed' } })
  })

  it('is reported with the name of the notification', () => {
    const frame = bytesOf(`00ff0140${littleEndian(10)}01000400${littleEndian(2)}0100`)
    expect(borsh.decodeMessage(frame)).toMatchObject({
      kind: 'malformed',
      id: undefined,
      error: { method: 'utxos-changed' },
    })
  })
})

describe('hostile JSON', () => {
  it('is malformed if nested a million levels deep', () => {
    const deep = `{"id":1,"method":"getInfo","params":${'['.repeat(1_000_000)}`
    expect(json.decodeMessage(deep)).toMatchObject({ kind: 'malformed' })
    expect(json.decodeRequest(`${deep}${']'.repeat(1_000_000)}}`)).toMatchObject({
      kind: 'unreadable',
      method: 'getInfo',
    })
  })

  it('is decoded with a text of 15 MiB and a long integer', () => {
    const long = 'a'.repeat(15 * 2 ** 20)
    const frame = `{"method":"ping","params":{},"x":"${long}","id":18446744073709551615}`
    expect(json.decodeRequest(frame)).toEqual({ kind: 'request', id: 2n ** 64n - 1n, method: 'ping', request: {} })
  })

  it('cannot set a prototype or a constructor', () => {
    const frame = '{"id":1,"method":"getSink","params":{"__proto__":{"sink":"' + 'ab'.repeat(32) + '"}}}'
    expect(json.decodeMessage(frame)).toMatchObject({ kind: 'malformed' })
    expect(json.decodeRequest('{"id":1,"method":"constructor","params":{}}')).toMatchObject({ kind: 'fatal' })
  })

  it('does not expand to billions of levels', () => {
    const params =
      '{"addedChainBlockHashes":[],"removedChainBlockHashes":[],"chainBlockAcceptedTransactions":[{"acceptedTransactions":[],"chainBlockHeader":{"parentsByLevel":[[4294967295,[]]]}}]}'
    const frame = `{"id":1,"method":"getVirtualChainFromBlockV2","params":${params}}`
    expect(json.decodeMessage(frame)).toMatchObject({ kind: 'malformed' })
  })
})

describe('an invalid value', () => {
  it.each([borsh, json])('is rejected with the name of its field, in $encoding', (codec) => {
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
