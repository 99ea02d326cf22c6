import { describe, expect, it } from 'vitest'
import { createFrameLimit } from '../../../src/devnode/server/upgrade.js'

/** A client's frame: binary, masked. */
function frame(length: number): Uint8Array {
  const extended = length < 126 ? [] : length < 65_536 ? [length >> 8, length & 255] : longLength(length)
  const short = length < 126 ? length : length < 65_536 ? 126 : 127
  return Uint8Array.from([0x82, 0x80 | short, ...extended, 1, 2, 3, 4, ...new Array<number>(length).fill(0x82)])
}

function longLength(length: number): number[] {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length))
  return [...bytes]
}

function feed(limit: number, chunks: readonly Uint8Array[]): number {
  let reports = 0
  const read = createFrameLimit(limit, () => (reports += 1))
  for (const chunk of chunks) read(chunk)
  return reports
}

describe('the frame limit', () => {
  it.each([0, 125, 126, 1_000, 70_000])('accepts a frame of %i bytes at the limit', (length) => {
    expect(feed(length, [frame(length)])).toBe(0)
  })

  it.each([126, 1_000, 70_000])('reports a frame of %i bytes, one above the limit', (length) => {
    expect(feed(length - 1, [frame(length)])).toBe(1)
  })

  it('reads consecutive frames for any chunk size', () => {
    const stream = Uint8Array.from([...frame(5), ...frame(300), ...frame(0), ...frame(70_000)])
    const cut = (size: number) =>
      Array.from({ length: Math.ceil(stream.length / size) }, (_, at) => stream.slice(at * size, (at + 1) * size))
    for (const size of [1, 2, 3, 7, 64, stream.length]) {
      expect(feed(70_000, cut(size))).toBe(0)
      expect(feed(69_999, cut(size))).toBe(1)
    }
  })
})
