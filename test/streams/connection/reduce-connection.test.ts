import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import type { Connection, ConnectionEvent } from '../../../src/streams/connection/state.js'
import { DEFAULT_RETRIES, NO_RETRIES, type RetryPolicy } from '../../../src/streams/connection/policy.js'
import { initialConnection, reduceConnection } from '../../../src/streams/connection/reduce-connection.js'
import type { Target } from '../../../src/streams/connection/endpoints.js'

type State = Connection<string>
type Event = ConnectionEvent<string>

const A = 'wss://a.example'
const B = 'wss://b.example'
const target: Target = { network: 'simnet', encoding: 'Borsh', urls: [A], resolver: 'skip' }
const elsewhere: Target = { ...target, urls: [B] }
const two: Target = { ...target, urls: [A, B] }
const failure = new ChainRpcError('connect', new Error('refused'), { code: 'connect-failed' })
const policy: RetryPolicy = { ...DEFAULT_RETRIES, maxRetries: 2 }

const now = { at: 1_000, random: 0, network: 'up' } as const
const connect = (to: Target = target): Event => ({ type: 'connectRequested', target: to })
const opened = (dial: number, url = A): Event => ({ type: 'opened', dial, url, session: `session ${dial}` })
const ended = (dial: number, context: object = now): Event => ({
  type: 'ended',
  dial,
  error: failure,
  ...now,
  ...context,
})
const refused = (dial: number): Event => ({ type: 'refused', dial, error: failure, ...now })
const due = (dial: number): Event => ({ type: 'retryDue', dial })
const reconnect: Event = { type: 'reconnectRequested' }
const disconnect: Event = { type: 'disconnectRequested' }
const online: Event = { type: 'wentOnline' }
const offline: Event = { type: 'wentOffline' }

const after = (events: readonly Event[], rules: RetryPolicy = policy, to: Target = target): State =>
  events.reduce<State>((state, event) => reduceConnection(state, event, rules), initialConnection(to))

/** A state in one line: status, attempt, current step. */
function toLine(state: State): string {
  if (state.status === 'connected') return `connected to ${state.url}`
  if (state.status === 'error') return `error after ${state.attempt}`
  if (state.status === 'disconnected') return 'disconnected'
  const step = state.step === 'dialling' ? `dials ${state.url ?? 'a resolved node'}` : `waits until ${state.retryAt}`
  return `${state.status} ${state.attempt}: ${step}`
}

const table: { from: string; given: Event[]; when: Event; becomes: string; rules?: RetryPolicy; to?: Target }[] = [
  { from: 'disconnected', given: [], when: connect(), becomes: `connecting 0: dials ${A}` },
  { from: 'disconnected', given: [], when: reconnect, becomes: `connecting 0: dials ${A}` },
  {
    from: 'error',
    given: [connect(), ended(1)],
    when: connect(),
    rules: NO_RETRIES,
    becomes: `connecting 0: dials ${A}`,
  },
  {
    from: 'error',
    given: [connect(), ended(1)],
    when: reconnect,
    rules: NO_RETRIES,
    becomes: `connecting 0: dials ${A}`,
  },
  { from: 'error', given: [connect(), ended(1)], when: online, rules: NO_RETRIES, becomes: `connecting 0: dials ${A}` },
  { from: 'connecting', given: [connect()], when: opened(1), becomes: `connected to ${A}` },
  { from: 'connecting', given: [connect()], when: ended(1), becomes: 'connecting 1: waits until 2000' },
  { from: 'connecting', given: [connect(), ended(1)], when: due(1), becomes: `connecting 1: dials ${A}` },
  {
    from: 'connecting, second retry',
    given: [connect(), ended(1), due(1)],
    when: ended(2),
    becomes: 'connecting 2: waits until 3000',
  },
  {
    from: 'connecting, no retry left',
    given: [connect(), ended(1), due(1), ended(2), due(2)],
    when: ended(3),
    becomes: 'error after 2',
  },
  { from: 'connecting, one endpoint', given: [connect()], when: refused(1), becomes: 'error after 0' },
  { from: 'connected, one endpoint', given: [connect(), opened(1)], when: refused(1), becomes: 'error after 0' },
  {
    from: 'connected, two endpoints',
    given: [connect(two), opened(1)],
    when: refused(1),
    becomes: `reconnecting 1: dials ${B}`,
  },
  { from: 'connecting, two endpoints', given: [connect(two)], when: refused(1), becomes: `connecting 0: dials ${B}` },
  { from: 'connecting, two endpoints', given: [connect(two), refused(1)], when: refused(2), becomes: 'error after 0' },
  { from: 'connecting', given: [connect()], when: disconnect, becomes: 'disconnected' },
  { from: 'connecting', given: [connect()], when: connect(), becomes: `connecting 0: dials ${A}` },
  { from: 'connecting', given: [connect()], when: connect(elsewhere), becomes: `connecting 0: dials ${B}` },
  {
    from: 'connecting, waiting',
    given: [connect(), ended(1)],
    when: offline,
    becomes: 'connecting 1: waits until null',
  },
  { from: 'connecting, waiting', given: [connect(), ended(1)], when: online, becomes: `connecting 1: dials ${A}` },
  {
    from: 'connecting, offline',
    given: [connect()],
    when: ended(1, { network: 'down' }),
    becomes: 'connecting 1: waits until null',
  },
  { from: 'connected', given: [connect(), opened(1)], when: ended(1), becomes: 'reconnecting 1: waits until 1000' },
  {
    from: 'connected',
    given: [connect(), opened(1)],
    when: ended(1, { random: 0.999 }),
    becomes: 'reconnecting 1: waits until 1249',
  },
  {
    from: 'connected, reconnect: false',
    given: [connect(), opened(1)],
    when: ended(1),
    rules: NO_RETRIES,
    becomes: 'error after 0',
  },
  { from: 'connected', given: [connect(), opened(1)], when: disconnect, becomes: 'disconnected' },
  { from: 'connected', given: [connect(), opened(1)], when: reconnect, becomes: `connecting 0: dials ${A}` },
  { from: 'connected', given: [connect(), opened(1)], when: connect(elsewhere), becomes: `connecting 0: dials ${B}` },
  { from: 'connected', given: [connect(), opened(1)], when: connect(), becomes: `connected to ${A}` },
  {
    from: 'reconnecting',
    given: [connect(), opened(1), ended(1), due(1)],
    when: opened(2),
    becomes: `connected to ${A}`,
  },
  {
    from: 'reconnecting',
    given: [connect(), opened(1), ended(1), due(1)],
    when: ended(2),
    becomes: 'reconnecting 2: waits until 3000',
  },
  {
    from: 'reconnecting',
    given: [connect(), opened(1), ended(1)],
    when: reconnect,
    becomes: `connecting 0: dials ${A}`,
  },
  { from: 'reconnecting', given: [connect(), opened(1), ended(1)], when: disconnect, becomes: 'disconnected' },
  {
    from: 'reconnecting, reset by a handshake',
    given: [connect(), ended(1), due(1), opened(2), ended(2), due(2)],
    when: ended(3),
    becomes: 'reconnecting 2: waits until 3000',
  },
]

describe('the table of transitions', () => {
  it.each(table)('$from, on $when.type: $becomes', ({ given, when, becomes, rules = policy, to = target }) => {
    expect(toLine(reduceConnection(after(given, rules, to), when, rules))).toBe(becomes)
  })
})

describe('an event without meaning', () => {
  const states = {
    disconnected: after([]),
    dialling: after([connect()]),
    waiting: after([connect(), ended(1)]),
    connected: after([connect(), opened(1)]),
    error: after([connect(), ended(1)], NO_RETRIES),
  }
  it.each([
    ['disconnected', disconnect],
    ['disconnected', online],
    ['disconnected', offline],
    ['disconnected', due(0)],
    ['dialling', opened(7)],
    ['dialling', ended(0)],
    ['dialling', refused(0)],
    ['dialling', due(1)],
    ['dialling', online],
    ['waiting', opened(1)],
    ['waiting', ended(1)],
    ['waiting', due(9)],
    ['waiting', connect()],
    ['connected', opened(1)],
    ['connected', ended(0)],
    ['connected', refused(0)],
    ['connected', connect()],
    ['connected', online],
    ['connected', offline],
    ['error', opened(1)],
    ['error', ended(1)],
    ['error', due(1)],
    ['error', offline],
  ] as const)('returns the same object for a %s connection (%o)', (name, event) => {
    expect(reduceConnection(states[name], event, policy)).toBe(states[name])
  })
})

describe('the error of a connection', () => {
  it('is that of the last failed attempt, and is removed once connected', () => {
    const waiting = after([connect(), ended(1)])
    expect(waiting).toMatchObject({ error: failure })
    expect(after([connect(), ended(1), due(1)])).toMatchObject({ error: failure })
    expect(after([connect(), ended(1), due(1), opened(2)])).not.toHaveProperty('error')
  })
})

describe('several endpoints', () => {
  it('rotate, the oldest failure first', () => {
    const rules = { ...policy, maxRetries: 9 }
    const lines = [connect(two), ended(1), due(1), ended(2, { at: 2_000 }), due(2)].map((_, at, events) =>
      toLine(after(events.slice(0, at + 1), rules)),
    )
    expect(lines).toEqual([
      `connecting 0: dials ${A}`,
      'connecting 1: waits until 2000',
      `connecting 1: dials ${B}`,
      'connecting 2: waits until 4000',
      `connecting 2: dials ${A}`,
    ])
  })

  it('switch to the next one when an established connection is dropped', () => {
    expect(toLine(after([connect(two), opened(1), ended(1), due(1)]))).toBe(`reconnecting 1: dials ${B}`)
  })

  it('switch to the next one after a reported fault', () => {
    const faulted: Event = { type: 'faulted', dial: 1, at: 500 }
    expect(toLine(after([connect(two), opened(1), faulted, disconnect, connect(two)]))).toBe(`connecting 0: dials ${B}`)
  })

  it('are dialled again on a new request after a permanent refusal', () => {
    expect(toLine(after([connect(), refused(1), reconnect]))).toBe(`connecting 0: dials ${A}`)
  })

  it('come from a resolver, and the refusal of a resolved node does not exclude the resolver', () => {
    const resolving: Target = { ...target, urls: [], resolver: 'use' }
    const resolved: Event = { type: 'resolved', dial: 1, url: B }
    expect(toLine(after([connect(resolving)]))).toBe('connecting 0: dials a resolved node')
    expect(toLine(after([connect(resolving), resolved, refused(1)]))).toBe('connecting 1: waits until 2000')
    expect(toLine(after([connect(resolving), resolved, refused(1), due(1)]))).toBe(
      'connecting 1: dials a resolved node',
    )
  })
})

describe('a connection to this machine', () => {
  it('does not wait for the network', () => {
    const local: Target = { ...target, urls: ['ws://127.0.0.1:17510'] }
    const waiting = after([connect(local), ended(1, { network: 'down' })])
    expect(toLine(waiting)).toBe('connecting 1: waits until 2000')
    expect(reduceConnection(waiting, offline, policy)).toBe(waiting)
  })
})
