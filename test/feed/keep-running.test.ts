import { expect, it } from 'vitest'
import { SessionDropped } from '../../src/errors/payout-error.js'
import { keepRunning } from '../../src/feed/run-sessions.js'

const lost = (): SessionDropped => new SessionDropped(new Error('connect postgres://shop:secret@db:5432 failed'))

/** Runs sessions that end in the given ways, one after the other; the last one stops all. */
async function run(...ends: readonly (() => Error | undefined)[]) {
  const stopped = new AbortController()
  const warnings: string[] = []
  const reasons: string[] = []
  const pauses: string[] = []
  let sessions = 0
  await keepRunning(
    {
      signal: stopped.signal,
      logger: { warn: (line) => void warnings.push(line) },
      peer: 'sink',
      pause: { wait: () => Promise.resolve(void pauses.push('wait')), reset: () => void pauses.push('reset') },
      onDropped: (reason) => void reasons.push(reason),
    },
    () => {
      const error = ends[sessions++]?.()
      if (sessions === ends.length) stopped.abort()
      return error === undefined ? Promise.resolve() : Promise.reject(error)
    },
  )
  return { sessions, warnings, reasons, pauses }
}

it('opens a session after each that was lost, with a pause, and says why without credentials', async () => {
  expect(await run(lost, lost, () => undefined)).toEqual({
    sessions: 3,
    warnings: Array(2).fill('The connection to the sink was lost'),
    reasons: Array(2).fill(expect.not.stringContaining('secret')),
    pauses: ['wait', 'wait'],
  })
})

it('resolves where a session is lost because the signal aborts, and rejects with other errors', async () => {
  expect(await run(lost)).toMatchObject({ sessions: 1, reasons: [] })
  await expect(run(() => new RangeError('no session'), lost)).rejects.toThrow('no session')
})
