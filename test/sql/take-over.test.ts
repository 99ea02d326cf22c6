import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SessionDropped } from '../../src/errors/payout-error.js'
import { createPoolDatabase, type PostgresClient, type PostgresPool } from '../../src/sql/pool-database.js'
import type { SqlSession } from '../../src/sql/session.js'

/** Milliseconds. */
const LEASE_TIMEOUT = 10_000
/** The longest first pause of the feed between two attempts, ms. */
const PAUSE = 100

/**
 * A server behind a router: which connections and attempts get a response, and whether another session holds the lock.
 */
class Server implements PostgresPool {
  isHeld = true
  /** Responses to the attempts to come; once empty, each is accepted. */
  attempts: ('accepted' | 'silent' | 'late')[] = []
  readonly connected: { isForgotten: boolean; isReleased: boolean; readonly settings: Map<string, string> }[] = []
  #late: (() => void)[] = []

  connect(): Promise<PostgresClient> {
    const attempt = this.attempts.shift() ?? 'accepted'
    if (attempt === 'accepted') return Promise.resolve(this.#accept())
    return new Promise((resolve) => attempt === 'late' && this.#late.push(() => resolve(this.#accept())))
  }

  /** Accepts what was late. */
  acceptLate(): void {
    for (const accept of this.#late.splice(0)) accept()
  }

  /** Forgets the connections that exist, without a word to either side. */
  forget(): void {
    for (const one of this.connected) one.isForgotten = true
  }

  #accept(): PostgresClient {
    const state = { isForgotten: false, isReleased: false, settings: new Map<string, string>() }
    this.connected.push(state)
    return {
      query: (text, values = []) => {
        if (state.isForgotten) return new Promise(() => undefined)
        if (text.includes('set_config')) state.settings.set(String(values[0]), String(values[1]))
        const rows = text.includes('pg_try_advisory_lock') ? [{ locked: String(!this.isHeld) }] : []
        return Promise.resolve({ rows })
      },
      on: () => undefined,
      release: () => (state.isReleased = true),
    }
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function openOn(server: Server, signal = new AbortController().signal): Promise<SqlSession> {
  const timing = { leaseTimeout: LEASE_TIMEOUT, statementTimeout: 60_000 }
  return createPoolDatabase(server, timing).open({ lease: 'a lease', signal })
}

/**
 * Opens as the feed does, which tries again where the connection was lost; resolves to the virtual time of the session.
 */
async function takeOver(server: Server): Promise<number> {
  for (;;) {
    try {
      await openOn(server)
      return Date.now()
    } catch (error) {
      if (!(error instanceof SessionDropped)) throw error
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
    }
  }
}

describe('an instance that waits for the lease', () => {
  // the silence begins at each part of the time between two polls, at the earliest right after the first one
  const phases = Array.from({ length: 10 }, (_, index) => 1 + (index * LEASE_TIMEOUT) / 40)

  it.each([
    ['its connection works', [], false],
    ['its connection was forgotten by a router', [], true],
    ['its connection was forgotten, and so is the next attempt', ['silent'], true],
  ] as const)('takes over within 2 × leaseTimeout where %s', async (_, attempts, isForgotten) => {
    for (const phase of phases) {
      const server = new Server()
      const taken = takeOver(server)
      await vi.advanceTimersByTimeAsync(LEASE_TIMEOUT + phase) // waits for some polls
      const beganAt = Date.now()
      if (isForgotten) server.forget()
      server.attempts = [...attempts]
      // the server ends the holder's session, whose last statement may be as recent as the silence
      setTimeout(() => (server.isHeld = false), LEASE_TIMEOUT)
      await vi.advanceTimersByTimeAsync(4 * LEASE_TIMEOUT)
      expect((await taken) - beganAt).toBeLessThanOrEqual(2 * LEASE_TIMEOUT)
      vi.clearAllTimers()
    }
  })
})

describe('a connection attempt without a response', () => {
  it('ends after half of leaseTimeout, with the reason', async () => {
    const server = new Server()
    server.attempts = ['silent']
    const failed = openOn(server).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(LEASE_TIMEOUT / 2)
    const error = await failed
    expect(error).toBeInstanceOf(SessionDropped)
    expect(String((error as SessionDropped).cause)).toBe('Error: No connection within 5000 ms')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('gives a connection that is late back to the pool', async () => {
    const server = new Server()
    server.attempts = ['late']
    const failed = openOn(server).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(LEASE_TIMEOUT / 2)
    await failed
    server.acceptLate()
    await vi.advanceTimersByTimeAsync(0)
    expect(server.connected.map(({ isReleased }) => isReleased)).toEqual([true])
  })

  it('ends with the signal', async () => {
    const server = new Server()
    server.attempts = ['silent']
    const controller = new AbortController()
    const failed = openOn(server, controller.signal).catch((error: unknown) => error)
    controller.abort(new Error('stopped'))
    expect(await failed).toEqual(new Error('stopped'))
    expect(vi.getTimerCount()).toBe(0)
  })
})

it('has the server probe silent connections, and end the session of a holder that is cut off', async () => {
  const server = new Server()
  server.isHeld = false
  const session = await openOn(server)
  expect(Object.fromEntries(server.connected[0]?.settings ?? [])).toMatchObject({
    tcp_keepalives_idle: '10',
    idle_session_timeout: '10000',
    idle_in_transaction_session_timeout: '10000',
  })
  await session.close()
})
