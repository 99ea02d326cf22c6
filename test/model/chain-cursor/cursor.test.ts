import { describe, expect, it } from 'vitest'
import { ChainError } from '../../../src/errors/chain-error.js'
import { decodeCursor, tipScoreOf, crc32 } from '../../../src/model/chain-cursor/cursor.js'
import { encodeCursor } from '../../../src/model/chain-cursor/encode-cursor.js'
import type { ChainLocator } from '../../../src/model/chain-cursor/locator.js'
import { AVAILABLE_NETWORKS } from '../../../src/model/network.js'

const hashOf = (index: number): string => (index + 1).toString(16).padStart(2, '0').repeat(32)

const locatorOf = (count: number, blueWork = 'b4c0ffee'): ChainLocator => {
  const [tip, ...below] = Array.from({ length: count }, (_, at) => ({
    hash: hashOf(at),
    blueScore: 2n ** 40n - BigInt(at),
  }))
  if (tip === undefined) throw new Error('A locator has a tip')
  return { tip: { ...tip, blueWork }, below }
}

const bytesOf = (cursor: string): Uint8Array => Uint8Array.from(Buffer.from(cursor, 'base64url'))
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

/** The error of decoding a cursor on simnet. */
function rejectionOf(cursor: unknown): unknown {
  try {
    return decodeCursor(cursor, 'simnet')
  } catch (error) {
    return error
  }
}

describe('a cursor', () => {
  it.each([1, 2, 43, 60])('is decoded to the locator it was encoded from: %i blocks', (count) => {
    for (const network of AVAILABLE_NETWORKS) {
      const locator = locatorOf(count)
      expect(decodeCursor(encodeCursor(locator, network), network)).toEqual(locator)
    }
  })

  it('is text of the URL-safe alphabet, 2,310 characters for 43 blocks', () => {
    const cursor = encodeCursor(locatorOf(43, '01'.repeat(5)), 'mainnet')
    expect(cursor).toMatch(/^[\w-]+$/)
    expect(cursor.length).toBeGreaterThan(2_250)
    expect(cursor.length).toBeLessThanOrEqual(2_320)
    expect(encodeURIComponent(cursor)).toBe(cursor)
  })

  it('drops the leading zeros of the blue work, as the two encodings of a node differ in them', () => {
    const padded = encodeCursor(locatorOf(2, 'abc'.padStart(48, '0')), 'simnet')
    expect(padded).toBe(encodeCursor(locatorOf(2, 'abc'), 'simnet'))
    expect(decodeCursor(padded, 'simnet').tip.blueWork).toBe('0abc')
  })

  it.each([1, 43, 60])('has the blue score of its newest block readable without the others: %i blocks', (count) => {
    for (const blueWork of ['0', 'b4c0ffee', 'ff'.repeat(255)])
      expect(tipScoreOf(encodeCursor(locatorOf(count, blueWork), 'simnet'))).toBe(2n ** 40n)
  })

  it('begins with the format version and the network, so that later releases can read it', () => {
    expect([...bytesOf(encodeCursor(locatorOf(1), 'testnet-10')).subarray(0, 2)]).toEqual([1, 1])
  })
})

describe('decodeCursor', () => {
  const cursor = encodeCursor(locatorOf(5), 'simnet')

  it.each([undefined, null, 7, {}, [], new Uint8Array(4)])('rejects %o: not a text', (value) => {
    expect(rejectionOf(value)).toMatchObject({ code: 'invalid-argument', argument: 'cursor' })
  })

  it('rejects a cursor of another network', () => {
    expect(rejectionOf(encodeCursor(locatorOf(5), 'mainnet'))).toMatchObject({
      code: 'invalid-argument',
      message: '"cursor" is of mainnet, the engine of simnet',
    })
  })

  it('rejects a cursor of a newer format, whatever follows its version', () => {
    const newer = bytesOf(cursor)
    newer[0] = 2
    expect(rejectionOf(textOf(newer))).toMatchObject({
      code: 'invalid-argument',
      message: '"cursor" has format 2, this release reads 1',
    })
  })

  it('rejects every cut of a cursor', () => {
    for (let length = 0; length < cursor.length; length++) {
      expect(rejectionOf(cursor.slice(0, length)), `${length} characters`).toBeInstanceOf(ChainError)
    }
    expect(rejectionOf(`${cursor}AA`)).toBeInstanceOf(ChainError)
  })

  it('rejects every changed byte', () => {
    const intact = bytesOf(cursor)
    for (const at of intact.keys()) {
      const changed = Uint8Array.from(intact, (byte, index) => (index === at ? byte ^ 0x10 : byte))
      expect(rejectionOf(textOf(changed)), `byte ${at}`).toMatchObject({ code: 'invalid-argument' })
    }
  })

  it('rejects blocks out of order, even with the right checksum', () => {
    const [tip, ...below] = [...locatorOf(3).below].reverse()
    if (tip === undefined) throw new Error('The locator has blocks')
    const reversed = encodeCursor({ tip: { ...tip, blueWork: '1' }, below }, 'simnet')
    expect(rejectionOf(reversed)).toMatchObject({ message: '"cursor" is damaged: its blocks are out of order' })
  })

  it('rejects other texts', () => {
    for (const text of ['', ' ', 'a', cursor.replace('-', '+').concat('='), `${cursor} `, 'a'.repeat(64), '{}'])
      expect(rejectionOf(text), text).toBeInstanceOf(ChainError)
  })
})

it('computes CRC-32 as zip does', () => {
  expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926)
  expect(crc32(new Uint8Array())).toBe(0)
})
