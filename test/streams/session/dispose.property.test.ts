import fc from 'fast-check'
import { NEVER, VirtualTimeScheduler, map, of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { silentLogger } from '../../../src/engine/resolve-options.js'
import { toConnectionState } from '../../../src/streams/connection/state.js'
import { createScores } from '../../../src/streams/scores.js'
import { createUnconfirmed } from '../../../src/streams/utxos/unconfirmed/unconfirmed.js'
import { createUtxos } from '../../../src/streams/utxos/utxos.js'
import { createTestLink, simnet, type TestLink } from '../link.js'
import { ALICE, utxo } from '../utxos/utxo-fixtures.js'
import { runs } from '../../full.js'

const refused = new ChainRpcError('connect', new Error('refused'), { code: 'connect-failed' })

interface Harness extends TestLink {
  readonly scheduler: VirtualTimeScheduler
  /** The outcome of each promise; undefined while pending. */
  readonly outcomes: (string | undefined)[]
  /** The streams that completed and the calls that failed. */
  readonly ends: string[]
}

/** The possible actions, by name. */
const actions = {
  connect: (harness: Harness) => record(harness, harness.link.connector.connect(simnet)),
  reconnect: (harness: Harness) => record(harness, harness.link.connector.reconnect()),
  'connect elsewhere': (harness: Harness) =>
    record(harness, harness.link.connector.connect({ ...simnet, urls: ['ws://b.example'] })),
  disconnect: ({ link }: Harness) => link.connector.disconnect(),
  drop: ({ node }: Harness) => node.drop(),
  'go offline': ({ platform }: Harness) => platform.online$.next(false),
  'go online': ({ platform }: Harness) => platform.online$.next(true),
  'hide the page': ({ platform }: Harness) => platform.visible$.next(false),
  'show the page': ({ platform }: Harness) => platform.visible$.next(true),
  'accept dials': ({ node }: Harness) => node.onDial(() => of(undefined)),
  'refuse dials': ({ node }: Harness) => node.onDial(() => throwError(() => refused)),
  'stall dials': ({ node }: Harness) => node.onDial(() => NEVER),
  'stall subscriptions': ({ node }: Harness) => node.respond('subscribe', () => NEVER),
  'accept subscriptions': ({ node }: Harness) => node.respond('subscribe', () => of({ id: 1n })),
  'stall the handshake': ({ node }: Harness) => node.respond('getServerInfo', () => NEVER),
  'make a stalled call': ({ link, ends }: Harness) =>
    link.call('getBlockCount', {}).subscribe({ error: () => ends.push('call') }),
  'subscribe to events': ({ link }: Harness) => link.events$('block-added').subscribe(),
  'acquire and release': ({ link }: Harness) => link.acquire({ type: 'sink-blue-score-changed' }).unsubscribe(),
  'track UTXOs': (harness: Harness) => track(harness),
  'advance 3 ms': ({ scheduler }: Harness) => advance(scheduler, 3),
  'advance 1100 ms': ({ scheduler }: Harness) => advance(scheduler, 1_100),
} satisfies Record<string, (harness: Harness) => unknown>

type Action = keyof typeof actions

function track({ link, outcomes, ...harness }: Harness): void {
  const connection = { state$: link.connector.state$.pipe(map(toConnectionState)) }
  const utxos = createUtxos({
    ...link,
    ...createScores(link),
    unconfirmed: createUnconfirmed(link),
    connection,
    logger: silentLogger,
  })
  const tracker = utxos.tracker([ALICE])
  tracker.state$.subscribe({ complete: () => harness.ends.push('tracker') })
  record({ link, outcomes, ...harness }, tracker.refresh())
}

function record({ outcomes }: Harness, promise: Promise<unknown>): void {
  const at = outcomes.push(undefined) - 1
  promise.then(
    () => (outcomes[at] = 'resolved'),
    (error: unknown) => (outcomes[at] = error instanceof Error ? error.message : 'rejected'),
  )
}

function advance(scheduler: VirtualTimeScheduler, ms: number): void {
  scheduler.maxFrames = scheduler.now() + ms
  scheduler.schedule(() => undefined, ms)
  scheduler.flush()
}

function createHarness(): Harness {
  const scheduler = new VirtualTimeScheduler()
  const harness = createTestLink(scheduler, { heartbeat: { interval: 500, timeout: 100 }, connectTimeout: 50 })
  harness.node.respond('getUtxosByAddresses', () => of({ entries: [utxo(1)] }))
  harness.node.respond('getMempoolEntriesByAddresses', () => of({ entries: [] }))
  harness.node.respond('getBlockCount', () => NEVER)
  return { ...harness, scheduler, outcomes: [], ends: [] }
}

/** Runs the actions; promises settle between them. */
async function runAll(harness: Harness, names: readonly Action[]): Promise<void> {
  for (const name of names) {
    actions[name](harness)
    await settle()
  }
}

const settle = async (): Promise<void> => {
  for (let round = 0; round < 10; round++) await Promise.resolve()
}

const someActions = fc.array(fc.constantFrom(...(Object.keys(actions) as Action[])), { maxLength: 25 })

/** Leaves the connection in different states. */
const lastAction = fc.constantFrom<Action>(
  'connect',
  'reconnect',
  'drop',
  'refuse dials',
  'advance 3 ms',
  'advance 1100 ms',
)

describe('in any state', () => {
  it('dispose() closes sockets, clears timers, unsubscribes and settles every promise', async () => {
    await fc.assert(
      fc.asyncProperty(someActions, async (names) => {
        const harness = createHarness()
        const { link, node, platform, scheduler } = harness
        const timers = scheduler.actions.length
        link.connector.state$.subscribe({ complete: () => harness.ends.push('state') })
        await runAll(harness, names)
        link.dispose()
        link.dispose()
        await settle()
        expect(node.sockets.filter(({ status }) => status === 'open')).toEqual([])
        expect(scheduler.actions.length).toBe(timers)
        expect([platform.online$.observed, platform.visible$.observed]).toEqual([false, false])
        expect(harness.outcomes).not.toContain(undefined)
        expect(harness.ends.filter((end) => end === 'state')).toHaveLength(1)
        expect(harness.ends.filter((end) => end === 'tracker')).toHaveLength(
          names.filter((name) => name === 'track UTXOs').length,
        )
      }),
      { numRuns: runs(150) },
    )
  })

  it('disconnect() closes the socket, settles pending connects and does not reconnect', async () => {
    await fc.assert(
      fc.asyncProperty(someActions, lastAction, async (names, last) => {
        const harness = createHarness()
        const { link, node, scheduler } = harness
        await runAll(harness, ['connect', ...names, last])
        const connecting = { ...harness, outcomes: [] }
        if (link.connector.state.status !== 'connected') record(connecting, link.connector.connect(simnet))
        link.connector.disconnect()
        const dialled = node.dialled.length
        advance(scheduler, 5_000)
        await settle()
        expect(link.connector.state.status).toBe('disconnected')
        expect(node.sockets.filter(({ status }) => status === 'open')).toEqual([])
        expect(node.dialled).toHaveLength(dialled)
        expect(connecting.outcomes).not.toContain(undefined)
        link.dispose()
      }),
      { numRuns: runs(150) },
    )
  })
})
