import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createOutbox } from '../../../src/devnode/server/outbox.js'
import type { OutgoingMessage } from '../../../src/devnode/faults/fault.js'

const message = (frame: string, how: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  frame,
  replyTo: undefined,
  delay: 0,
  reorderDelay: 0,
  bytesPerSecond: undefined,
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

describe('an outbox', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => vi.useRealTimers())

  it('sends immediately without delay', () => {
    const { outbox, sent } = open()
    outbox.post(message('a'))
    expect(sent).toEqual(['0:a'])
  })

  it('keeps the order behind a delayed message', () => {
    const { outbox, sent } = open()
    outbox.post(message('late', { delay: 30 }))
    outbox.post(message('behind'))
    outbox.post(message('later', { delay: 50 }))
    vi.advanceTimersByTime(100)
    expect(sent).toEqual(['30:late', '30:behind', '50:later'])
  })

  it('sends later messages before a reordered one', () => {
    const { outbox, sent } = open()
    outbox.post(message('reordered', { reorderDelay: 20 }))
    outbox.post(message('first'))
    vi.advanceTimersByTime(20)
    expect(sent).toEqual(['0:first', '20:reordered'])
  })

  it('sends a throttled message in chunks, then the next one', () => {
    const { outbox, sent } = open()
    outbox.post(message('abcde', { bytesPerSecond: 200 })) // two bytes every 10 ms
    outbox.post(message('next'))
    vi.advanceTimersByTime(100)
    expect(sent).toEqual(['0:ab…', '10:cd…', '20:e', '30:next'])
  })

  it('pauses, and resumes in order', () => {
    const { outbox, sent } = open()
    outbox.pause()
    outbox.post(message('a'))
    outbox.post(message('b'))
    expect(sent).toEqual([])
    outbox.resume()
    expect(sent).toEqual(['0:a', '0:b'])
  })

  it('discards unsent messages on dispose', () => {
    const { outbox, sent } = open()
    outbox.post(message('late', { delay: 30 }))
    outbox.post(message('reordered', { reorderDelay: 30 }))
    outbox.dispose()
    outbox.post(message('after'))
    outbox.resume()
    vi.advanceTimersByTime(100)
    expect(sent).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })
})
