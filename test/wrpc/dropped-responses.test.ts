import { describe, expect, it } from 'vitest'
import { createDroppedResponses, type WaitingCall } from '../../src/wrpc/deadlines.js'

/** Calls of a connection whose clock is set by the test. */
function createHarness(timeout = 60_000) {
  const clock = { time: 0, now: () => clock.time }
  const calls = new Map<bigint, WaitingCall>()
  const responses = createDroppedResponses(clock, () => [...calls.values()])
  let latest = 0n
  return {
    send: () => {
      const order = ++latest
      calls.set(order, { order, timeout, seconds: 0 })
      return order
    },
    respond: (order: bigint) => {
      calls.delete(order)
      responses.onResponse(order)
    },
    notify: () => responses.onNotification().map(({ order }) => order),
    advance: (ms: number) => (clock.time += ms),
  }
}

type Harness = ReturnType<typeof createHarness>

/** Ten notifications a second. Returns the calls that are found lost. */
function notifyFor({ notify, advance }: Harness, seconds: number): bigint[] {
  return Array.from({ length: 10 * seconds }, () => {
    advance(100)
    return notify()
  }).flat()
}

describe('dropped responses', () => {
  it('are those of calls that wait while notifications arrive for ten seconds', () => {
    const harness = createHarness()
    const call = harness.send()
    expect(notifyFor(harness, 10)).toEqual([])
    expect(notifyFor(harness, 1)).toEqual([call])
  })

  it('are none without notifications, and none of a clock that has moved on', () => {
    const harness = createHarness()
    harness.send()
    harness.advance(50_000)
    expect(harness.notify()).toEqual([])
    harness.advance(3_600_000) // the device was asleep
    expect(notifyFor(harness, 1)).toEqual([])
  })

  it('are none while the node responds to earlier requests', () => {
    const harness = createHarness()
    const calls = Array.from({ length: 8 }, harness.send)
    for (const call of calls) {
      expect(notifyFor(harness, 5)).toEqual([])
      harness.respond(call)
    }
  })

  it('are those of earlier requests where the node responds to later ones', () => {
    const harness = createHarness()
    const first = harness.send()
    const found = Array.from({ length: 12 }, () => {
      harness.respond(harness.send())
      return notifyFor(harness, 1)
    }).flat()
    expect(found[0]).toBe(first)
  })

  it('are found later where the timeout of a call allows more than a minute', () => {
    const harness = createHarness(180_000)
    const call = harness.send()
    expect(notifyFor(harness, 30)).toEqual([])
    expect(notifyFor(harness, 1)).toEqual([call])
  })
})
