import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createOutbox } from '../../../src/devnode/server/outbox.js'
import type { Parcel } from '../../../src/devnode/faults/fault.js'

const parcel = (frame: string, how: Partial<Parcel> = {}): Parcel => ({
  frame,
  answers: undefined,
  delay: 0,
  held: 0,
  pace: undefined,
  ...how,
})

function open() {
  const sent: string[] = []
  const start = performance.now()
  const outbox = createOutbox((part, isLast) =>
    sent.push(`${Math.round(performance.now() - start)}:${String(part)}${isLast ? '' : '…'}`),
  )
  return { outbox, sent }
}

describe('the line to a client', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => vi.useRealTimers())

  it('lets go at once what nothing holds up', () => {
    const { outbox, sent } = open()
    outbox.post(parcel('a'))
    expect(sent).toEqual(['0:a'])
  })

  it('keeps the order behind what is late', () => {
    const { outbox, sent } = open()
    outbox.post(parcel('late', { delay: 30 }))
    outbox.post(parcel('behind'))
    outbox.post(parcel('later', { delay: 50 }))
    vi.advanceTimersByTime(100)
    expect(sent).toEqual(['30:late', '30:behind', '50:later'])
  })

  it('lets others pass what is held back', () => {
    const { outbox, sent } = open()
    outbox.post(parcel('held', { held: 20 }))
    outbox.post(parcel('first'))
    vi.advanceTimersByTime(20)
    expect(sent).toEqual(['0:first', '20:held'])
  })

  it('drips a message in parts, with the next one behind it', () => {
    const { outbox, sent } = open()
    outbox.post(parcel('abcde', { pace: 200 })) // two bytes every 10 ms
    outbox.post(parcel('next'))
    vi.advanceTimersByTime(100)
    expect(sent).toEqual(['0:ab…', '10:cd…', '20:e', '30:next'])
  })

  it('holds everything, and lets it go in order', () => {
    const { outbox, sent } = open()
    outbox.hold()
    outbox.post(parcel('a'))
    outbox.post(parcel('b'))
    expect(sent).toEqual([])
    outbox.release()
    expect(sent).toEqual(['0:a', '0:b'])
  })

  it('forgets what has not left when the connection ends', () => {
    const { outbox, sent } = open()
    outbox.post(parcel('late', { delay: 30 }))
    outbox.post(parcel('held', { held: 30 }))
    outbox.dispose()
    outbox.post(parcel('after'))
    outbox.release()
    vi.advanceTimersByTime(100)
    expect(sent).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })
})
