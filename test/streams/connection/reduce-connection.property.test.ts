import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import type { Connected, Connection, ConnectionEvent } from '../../../src/streams/connection/state.js'
import { DEFAULT_RETRIES } from '../../../src/streams/connection/policy.js'
import { initialConnection, reduceConnection } from '../../../src/streams/connection/reduce-connection.js'
import type { Target } from '../../../src/streams/connection/endpoints.js'

const policy = { ...DEFAULT_RETRIES, maxRetries: 3 }
const failure = new ChainRpcError('connect', new Error('refused'), { code: 'connect-failed' })
const targets: readonly Target[] = [
  { network: 'simnet', encoding: 'Borsh', urls: ['ws://a.example'], resolver: 'skip' },
  { network: 'simnet', encoding: 'Borsh', urls: ['ws://a.example', 'ws://b.example'], resolver: 'skip' },
  { network: 'mainnet', encoding: 'SerdeJson', urls: [], resolver: 'use' },
]

/** Arbitrary events, some of earlier dials. */
const event: fc.Arbitrary<ConnectionEvent<string>> = fc
  .record({
    type: fc.constantFrom<ConnectionEvent<string>['type']>(
      ...(['connectRequested', 'reconnectRequested', 'disconnectRequested', 'retargeted'] as const),
      ...(['resolved', 'opened', 'ended', 'ended', 'refused', 'faulted', 'retryDue', 'retryDue'] as const),
      ...(['wentOnline', 'wentOffline'] as const),
    ),
    target: fc.constantFrom(...targets),
    age: fc.constantFrom(0, 0, 0, 1, 2),
    random: fc.double({ min: 0, max: 0.999, noNaN: true }),
    network: fc.constantFrom('up' as const, 'down' as const),
  })
  .map(({ age, ...others }) => ({ ...others, dial: -age, url: 'ws://n.example', session: 's', error: failure, at: 0 }))

/** Sets the dial number relative to the latest dial. */
const withDial = (one: ConnectionEvent<string>, state: Connection<string>, at: number): ConnectionEvent<string> =>
  ({ ...one, ...('dial' in one ? { dial: state.dial + one.dial } : {}), at }) as ConnectionEvent<string>

/** The states after each event. */
function statesOf(events: readonly ConnectionEvent<string>[]): Connection<string>[] {
  const states: Connection<string>[] = [initialConnection(targets[0]!)]
  events.forEach((one, at) => states.push(reduceConnection(states.at(-1)!, withDial(one, states.at(-1)!, at), policy)))
  return states
}

const pairs = <T>(items: readonly T[]): [T, T][] => items.slice(1).map((item, at) => [items[at]!, item])

const checkTransitions = (rule: (before: Connection<string>, after: Connection<string>) => void): void =>
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) =>
      pairs(statesOf(events)).forEach((pair) => rule(...pair)),
    ),
  )

describe('any sequence of events', () => {
  it('dial and request numbers only increase, and each dial has a new number', () =>
    checkTransitions((before, after) => {
      expect(after.dial).toBeGreaterThanOrEqual(before.dial)
      expect(after.request).toBeGreaterThanOrEqual(before.request)
      const began = 'step' in after && after.step === 'dialling' && after !== before
      if (began && !('step' in before && before.step === 'dialling' && before.dial === after.dial)) {
        expect(after.dial).toBe(before.dial + 1)
      }
    }))

  it('no attempt exceeds maxRetries', () =>
    checkTransitions((_, after) => {
      if ('attempt' in after) expect(after.attempt).toBeLessThanOrEqual(policy.maxRetries)
    }))

  it('only requests and the network leave disconnected and error', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), event, (events, last) => {
        const state = statesOf(events).at(-1)!
        if (state.status !== 'disconnected' && state.status !== 'error') return
        const after = reduceConnection(state, withDial(last, state, 99), policy)
        const starts = ['connectRequested', 'reconnectRequested', 'retargeted', 'wentOnline']
        if (after.status === 'connecting') expect(starts).toContain(last.type)
      }),
    )
  })

  it('connected follows only a handshake, and reconnecting starts with attempt 1', () =>
    checkTransitions((before, after) => {
      if (after.status === 'connected' && before.status !== 'connected') {
        expect('step' in before && before.step === 'dialling' && before.dial === after.dial).toBe(true)
      }
      if (before.status === 'connected' && after.status === 'reconnecting') expect(after.attempt).toBe(1)
    }))

  it.each(targets)('waits after a drop, and dials the next endpoint at once after a refusal: %o', (target) => {
    const kind = fc.constantFrom('ended' as const, 'refused' as const)
    const random = fc.double({ min: 0, max: 0.999, noNaN: true })
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), kind, random, (events, type, random) => {
        const before = connectTo(target, statesOf(events).at(-1)!)
        const end = { type, dial: before.dial, error: failure, at: 99, random, network: 'up' } as const
        const after = reduceConnection(before, end, policy)
        if (type === 'ended') expect(delayOf(after)).toBeLessThan(policy.baseDelay / 2)
        else if (before.candidate.via === 'resolver')
          expect(delayOf(after)).toBeGreaterThanOrEqual(policy.baseDelay / 2)
        else expectNextEndpoint(before, after)
      }),
    )
  })

  it('disconnect() disconnects from every state, and the next connect() is attempt 0', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), fc.constantFrom(...targets), (events, target) => {
        const disconnected = reduceConnection(statesOf(events).at(-1)!, { type: 'disconnectRequested' }, policy)
        expect(disconnected.status).toBe('disconnected')
        const connecting = reduceConnection(disconnected, { type: 'connectRequested', target }, policy)
        expect(connecting).toMatchObject({ status: 'connecting', step: 'dialling', attempt: 0 })
      }),
    )
  })
})

function connectTo(target: Target, from: Connection<string>): Connected<string> {
  const events = [{ type: 'disconnectRequested' }, { type: 'connectRequested', target }] as const
  const dialling = events.reduce<Connection<string>>((state, one) => reduceConnection(state, one, policy), from)
  const { dial } = dialling
  const url = 'url' in dialling && dialling.url !== null ? dialling.url : 'ws://resolved.example'
  const resolved = reduceConnection(dialling, { type: 'resolved', dial, url }, policy)
  const connected = reduceConnection(resolved, { type: 'opened', dial, url, session: 's' }, policy)
  if (connected.status !== 'connected') throw new Error(`It is ${connected.status}`)
  return connected
}

/** Ms until the first retry. */
function delayOf(after: Connection<string>): number {
  expect(after).toMatchObject({ status: 'reconnecting', step: 'waiting', attempt: 1 })
  return 'retryAt' in after && after.retryAt !== null ? after.retryAt - 99 : NaN
}

/** Dials another endpoint as attempt 1; `error` where all have refused. */
function expectNextEndpoint(before: Connected<string>, after: Connection<string>): void {
  expect(after.memory.refused).toContain(before.url)
  if (before.target.urls.length === 1) expect(after.status).toBe('error')
  else expect(after).toMatchObject({ status: 'reconnecting', step: 'dialling', attempt: 1, dial: before.dial + 1 })
}
