import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FAULT_KINDS, isFaultName, type FaultName } from '../../../src/devnode/faults/kinds.js'
import { faultSchedule, playRandomFaults, type FaultStep } from '../../../src/devnode/faults/random-faults.js'
import { readSettings } from '../../../src/devnode/faults/active-fault.js'
import { systemTimers } from '../../../src/devnode/machine.js'

function take(seed: number, rate: number, count: number, kinds?: readonly FaultName[]): readonly FaultStep[] {
  const schedule = faultSchedule(seed, rate, kinds)
  return Array.from({ length: count }, () => schedule.next().value)
}

describe('faultSchedule', () => {
  it('is deterministic by seed', () => {
    expect(take(7, 5, 50)).toEqual(take(7, 5, 50))
    expect(take(7, 5, 50)).not.toEqual(take(8, 5, 50))
  })

  it('has the given rate on average', () => {
    const seconds = take(1, 20, 10_000).reduce((sum, { after }) => sum + after, 0) / 1_000
    expect(seconds).toBeGreaterThan(480)
    expect(seconds).toBeLessThan(520)
  })

  it('has existing faults with valid settings', () => {
    for (const { name, settings } of take(3, 5, 500)) {
      expect(isFaultName(name)).toBe(true)
      expect(() => readSettings(FAULT_KINDS[name], settings)).not.toThrow()
    }
  })

  it('has every temporary kind by default, and none that a client cannot survive', () => {
    const names = new Set(take(5, 5, 2_000).map(({ name }) => name))
    expect([...names].sort()).toEqual(
      Object.keys(FAULT_KINDS)
        .filter((name) => !['wrongNetwork', 'noUtxoIndex', 'borshNotifications', 'failRest'].includes(name))
        .sort(),
    )
  })

  it('has the named kinds, each limited in time or count', () => {
    const kinds = Object.keys(FAULT_KINDS).filter(isFaultName)
    const steps = take(5, 5, 2_000, kinds)
    expect(new Set(steps.map(({ name }) => name))).toEqual(new Set(kinds))
    for (const { name, settings } of steps) {
      const { span } = readSettings(FAULT_KINDS[name], settings)
      expect(span.for > 0 || span.times > 0, name).toBe(true)
    }
  })

  it('rejects empty kinds', () => {
    expect(() => take(1, 5, 1, [])).toThrow(expect.objectContaining({ code: 'invalid-argument', argument: 'kinds' }))
  })

  it('rejects a rate of 0', () => {
    expect(() => take(1, 0, 1)).toThrow(expect.objectContaining({ code: 'invalid-argument', argument: 'rate' }))
  })

  describe('playRandomFaults', () => {
    beforeEach(() => vi.useFakeTimers())
    afterEach(() => vi.useRealTimers())

    it('begins each step at its time until it is stopped', () => {
      const steps = take(9, 10, 3)
      const begun: FaultStep[] = []
      const player = playRandomFaults(
        9,
        faultSchedule(9, 10),
        (step) => ({ triggered: begun.push(step) - 1 }),
        systemTimers,
      )
      vi.advanceTimersByTime(steps.slice(0, 2).reduce((sum, { after }) => sum + Math.ceil(after), 0) + 1)
      expect(begun.slice(0, 2)).toEqual(steps.slice(0, 2))
      player.stop()
      player.stop()
      expect(player.played).toEqual(begun)
      expect(player.triggered).toBe(begun.length - 1) // the first has not triggered
      expect(vi.getTimerCount()).toBe(0)
    })
  })
})
