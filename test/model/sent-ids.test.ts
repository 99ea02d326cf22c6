import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createSentIds } from '../../src/model/bounded-collections.js'

const idOf = (number: number): string => createHash('sha256').update(`${number}`).digest('hex')
const idsFrom = (start: number, count: number): string[] => Array.from({ length: count }, (_, at) => idOf(start + at))

describe('sent ids', () => {
  it('are never forgotten, however many there are, and hardly ever found where they were not sent', () => {
    const sent = createSentIds()
    for (const id of idsFrom(0, 100_000)) sent.add(id)
    expect(idsFrom(0, 100_000).filter((id) => !sent.has(id))).toEqual([])
    expect(idsFrom(100_000, 20_000).filter((id) => sent.has(id)).length).toBeLessThan(20)
  })

  it('count as sent more often, never less often, where the memory is full', () => {
    const sent = createSentIds(64)
    for (const id of idsFrom(0, 200)) sent.add(id)
    expect(idsFrom(0, 400).every((id) => sent.has(id))).toBe(true)
  })

  it('count as sent while they are sent, and afterwards only where something was', async () => {
    const sent = createSentIds()
    const [id = '', other = '', failed = ''] = idsFrom(0, 3)
    const during = await sent.track(
      id,
      () => Promise.resolve(sent.has(id)),
      () => false,
    )
    expect([during, sent.has(id)]).toEqual([true, false])
    await sent.track(
      other,
      () => Promise.resolve('taken'),
      () => true,
    )
    expect(sent.has(other)).toBe(true)
    const failing = sent.track(
      failed,
      () => Promise.reject(new Error('no reply')),
      () => false,
    )
    await expect(failing).rejects.toThrow('no reply')
    expect(sent.has(failed)).toBe(true)
  })
})
