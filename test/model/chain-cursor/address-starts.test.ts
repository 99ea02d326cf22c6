import { expect, it } from 'vitest'
import {
  decodeStarts,
  tailOf,
  type AddressStart,
  decodeCursor,
  decodePosition,
} from '../../../src/model/chain-cursor/cursor.js'
import { encodeCursor, encodeStarts } from '../../../src/model/chain-cursor/encode-cursor.js'

const TIP = 1_000_000n
const tail = (index: number): string => String(index).padStart(16, 'q')
const starts = (count: number): AddressStart[] =>
  Array.from({ length: count }, (_, index) => ({ tail: tail(index), blueScore: 10n + BigInt(index) }))
const again = (completeFrom: bigint, list: readonly AddressStart[]) =>
  decodeStarts(Uint8Array.from(encodeStarts({ completeFrom, starts: list }, TIP)), TIP)

it('are decoded as they were encoded, newest first', () => {
  expect(again(5n, starts(3))).toEqual({ completeFrom: 5n, starts: starts(3).reverse() })
  expect(again(5n, [])).toEqual({ completeFrom: 5n, starts: [] })
})

it('take no bytes where no address was added', () => {
  expect(encodeStarts({ completeFrom: 0n, starts: [] }, TIP)).toHaveLength(0)
  expect(again(0n, [])).toEqual({ completeFrom: 0n, starts: [] })
})

it('keep the newest 300, complete above the others', () => {
  const kept = again(0n, starts(400))
  expect(kept?.starts).toHaveLength(300)
  expect(kept?.starts.at(-1)).toEqual({ tail: tail(100), blueScore: 110n })
  expect(kept?.completeFrom).toBe(109n)
})

it('are part of a cursor, which followChain reads without them', () => {
  const locator = { tip: { hash: 'ab'.repeat(32), blueScore: TIP, blueWork: '01' }, below: [] }
  const cursor = encodeCursor(locator, 'simnet', { completeFrom: 0n, starts: starts(2) })
  expect(decodePosition(cursor, 'simnet').starts.starts).toEqual(starts(2).reverse())
  expect(decodeCursor(cursor, 'simnet')).toEqual(locator)
})

it('name an address by the end of its text', () => {
  expect(tailOf('kaspasim:qpg6mvncyqerjmtpgeuzjzc5ykjgwe0xc44e60dzn48gdg7vvhfuz5wvyxhzh')).toBe('g7vvhfuz5wvyxhzh')
})
