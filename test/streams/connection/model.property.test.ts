import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import type { Connection, ConnectionEvent } from '../../../src/streams/connection/phases.js'
import { DEFAULT_RETRIES } from '../../../src/streams/connection/policy.js'
import { notConnected, reduceConnection } from '../../../src/streams/connection/reduce-connection.js'
import type { Target } from '../../../src/streams/connection/target.js'

const policy = { ...DEFAULT_RETRIES, maxRetries: 3 }
const failure = new ChainRpcError('connect', new Error('refused'), { code: 'connect-failed' })
const targets: readonly Target[] = [
  { network: 'simnet', encoding: 'Borsh', urls: ['ws://a.example'], resolver: 'leave' },
  { network: 'simnet', encoding: 'Borsh', urls: ['ws://a.example', 'ws://b.example'], resolver: 'leave' },
  { network: 'mainnet', encoding: 'SerdeJson', urls: [], resolver: 'ask' },
]

/** Events as the world sends them: some of dials that are long over. */
const event: fc.Arbitrary<ConnectionEvent<string>> = fc
  .record({
    type: fc.constantFrom<ConnectionEvent<string>['type']>(
      ...(['connectRequested', 'reconnectRequested', 'disconnectRequested', 'retargeted'] as const),
      ...(['resolved', 'opened', 'ended', 'ended', 'refused', 'faulted', 'retryDue', 'retryDue'] as const),
      ...(['networkReturned', 'networkLost'] as const),
    ),
    target: fc.constantFrom(...targets),
    age: fc.constantFrom(0, 0, 0, 1, 2),
    random: fc.double({ min: 0, max: 0.999, noNaN: true }),
    network: fc.constantFrom('up' as const, 'down' as const),
  })
  .map(({ age, ...rest }) => ({ ...rest, dial: -age, url: 'ws://n.example', session: 's', error: failure, at: 0 }))

/** Numbers of dials count back from the latest, so that they hit. */
const aimed = (one: ConnectionEvent<string>, state: Connection<string>, at: number): ConnectionEvent<string> =>
  ({ ...one, ...('dial' in one ? { dial: state.dial + one.dial } : {}), at }) as ConnectionEvent<string>

/** All states that a schedule of events leads through. */
function live(events: readonly ConnectionEvent<string>[]): Connection<string>[] {
  const states: Connection<string>[] = [notConnected(targets[0]!)]
  events.forEach((one, at) => states.push(reduceConnection(states.at(-1)!, aimed(one, states.at(-1)!, at), policy)))
  return states
}

const pairs = <T>(items: readonly T[]): [T, T][] => items.slice(1).map((item, at) => [items[at]!, item])

const holdsAlways = (rule: (before: Connection<string>, after: Connection<string>) => void): void =>
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => pairs(live(events)).forEach((pair) => rule(...pair))),
  )

describe('whatever happens, in whatever order', () => {
  it('numbers of dials and of wishes only rise, and a new socket has a new number', () =>
    holdsAlways((before, after) => {
      expect(after.dial).toBeGreaterThanOrEqual(before.dial)
      expect(after.request).toBeGreaterThanOrEqual(before.request)
      const began = 'step' in after && after.step === 'dialling' && after !== before
      if (began && !('step' in before && before.step === 'dialling' && before.dial === after.dial)) {
        expect(after.dial).toBe(before.dial + 1)
      }
    }))

  it('no attempt counts beyond maxRetries', () =>
    holdsAlways((_, after) => {
      if ('attempt' in after) expect(after.attempt).toBeLessThanOrEqual(policy.maxRetries)
    }))

  it('nothing but connect, reconnect and the network leads out of rest', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), event, (events, last) => {
        const state = live(events).at(-1)!
        if (state.status !== 'disconnected' && state.status !== 'error') return
        const after = reduceConnection(state, aimed(last, state, 99), policy)
        const wakes = ['connectRequested', 'reconnectRequested', 'retargeted', 'networkReturned']
        if (after.status === 'connecting') expect(wakes).toContain(last.type)
      }),
    )
  })

  it('a connection is made only by a handshake, and unmade only by its end or by a wish', () =>
    holdsAlways((before, after) => {
      if (after.status === 'connected' && before.status !== 'connected') {
        expect('step' in before && before.step === 'dialling' && before.dial === after.dial).toBe(true)
      }
      if (before.status === 'connected' && after.status === 'reconnecting') {
        expect(after).toMatchObject({ step: 'waiting', attempt: 1 })
      }
    }))

  it('disconnect() rests, from everywhere, and the next connect() is attempt 0, at once', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), fc.constantFrom(...targets), (events, target) => {
        const rested = reduceConnection(live(events).at(-1)!, { type: 'disconnectRequested' }, policy)
        expect(rested.status).toBe('disconnected')
        const asked = reduceConnection(rested, { type: 'connectRequested', target }, policy)
        expect(asked).toMatchObject({ status: 'connecting', step: 'dialling', attempt: 0 })
      }),
    )
  })
})
