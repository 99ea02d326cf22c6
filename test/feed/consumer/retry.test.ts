import { expect, it, vi } from 'vitest'
import { SessionDropped } from '../../../src/errors/payout-error.js'
import { retried } from '../../../src/feed/jetstream/nats-server.js'
import type { NatsConnection } from '../../../src/feed/jetstream/nats-connection.js'

it('does not pause before it rejects where the signal was aborted during the attempt', async () => {
  vi.useFakeTimers()
  const controller = new AbortController()
  const connection: NatsConnection = { isClosed: () => false, flush: () => Promise.resolve() }
  const result = retried(connection, controller.signal, () => {
    controller.abort(new Error('stop'))
    return Promise.reject(new SessionDropped(new Error('The server was not there')))
  })
  await expect(result).rejects.toThrow('stop')
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})
