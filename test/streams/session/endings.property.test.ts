import fc from 'fast-check'
import { NEVER, VirtualTimeScheduler, map, of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { toConnectionState } from '../../../src/streams/connection/view.js'
import { createScores } from '../../../src/streams/scores.js'
import { keep$ } from '../../../src/streams/utxos/keep.js'
import { createReservations } from '../../../src/streams/utxos/reservations.js'
import { createUtxos } from '../../../src/streams/utxos/utxos.js'
import { createTestLink, simnet, type TestLink } from '../link.js'
import { ALICE, coin } from '../utxos/coins.js'

const refused = new ChainRpcError('connect', new Error('refused'), { code: 'connect-failed' })

interface Scene extends TestLink {
  readonly scheduler: VirtualTimeScheduler
  /** What became of every promise that was asked for: undefined while it is open. */
  readonly fates: (string | undefined)[]
  /** What ends of itself when the engine does. */
  readonly ends: string[]
}

/** What may happen, by name. */
const deeds = {
  connect: (scene: Scene) => follow(scene, scene.link.keeper.connect(simnet)),
  reconnect: (scene: Scene) => follow(scene, scene.link.keeper.reconnect()),
  'connect elsewhere': (scene: Scene) =>
    follow(scene, scene.link.keeper.connect({ ...simnet, urls: ['ws://b.example'] })),
  disconnect: ({ link }: Scene) => link.keeper.disconnect(),
  drop: ({ node }: Scene) => node.drop(),
  'go offline': ({ platform }: Scene) => platform.online$.next(false),
  'come back': ({ platform }: Scene) => platform.online$.next(true),
  'hide the page': ({ platform }: Scene) => platform.visible$.next(false),
  'see the page': ({ platform }: Scene) => platform.visible$.next(true),
  'accept dials': ({ node }: Scene) => node.onDial(() => of(undefined)),
  'refuse dials': ({ node }: Scene) => node.onDial(() => throwError(() => refused)),
  'leave dials open': ({ node }: Scene) => node.onDial(() => NEVER),
  'leave subscriptions open': ({ node }: Scene) => node.answer('subscribe', () => NEVER),
  'take subscriptions': ({ node }: Scene) => node.answer('subscribe', () => of({ id: 1n })),
  'leave the greeting open': ({ node }: Scene) => node.answer('getServerInfo', () => NEVER),
  'ask and wait': ({ link, ends }: Scene) =>
    link.call('getBlockCount', {}).subscribe({ error: () => ends.push('call') }),
  listen: ({ link }: Scene) => link.events$('block-added').subscribe(),
  'want and leave': ({ link }: Scene) => link.want({ type: 'sink-blue-score-changed' }).unsubscribe(),
  'track coins': (scene: Scene) => track(scene),
  'pass a moment': ({ scheduler }: Scene) => pass(scheduler, 3),
  'pass a second': ({ scheduler }: Scene) => pass(scheduler, 1_100),
} satisfies Record<string, (scene: Scene) => unknown>

type Deed = keyof typeof deeds

function track({ link, fates, ...scene }: Scene): void {
  const connection = { state$: link.keeper.state$.pipe(map(toConnectionState)) }
  const utxos = createUtxos({ ...link, ...createScores(link), ...createReservations(link), connection, keep: keep$ })
  const ledger = utxos.ledger([ALICE])
  ledger.state$.subscribe({ complete: () => scene.ends.push('ledger') })
  follow({ link, fates, ...scene }, ledger.refresh())
}

function follow({ fates }: Scene, promise: Promise<unknown>): void {
  const at = fates.push(undefined) - 1
  promise.then(
    () => (fates[at] = 'resolved'),
    (error: unknown) => (fates[at] = error instanceof Error ? error.message : 'rejected'),
  )
}

function pass(scheduler: VirtualTimeScheduler, ms: number): void {
  scheduler.maxFrames = scheduler.now() + ms
  scheduler.schedule(() => undefined, ms)
  scheduler.flush()
}

function createScene(): Scene {
  const scheduler = new VirtualTimeScheduler()
  const scene = createTestLink(scheduler, { heartbeat: { interval: 500, timeout: 100 }, connectTimeout: 50 })
  scene.node.answer('getUtxosByAddresses', () => of({ entries: [coin(1)] }))
  scene.node.answer('getMempoolEntriesByAddresses', () => of({ entries: [] }))
  scene.node.answer('getBlockCount', () => NEVER)
  return { ...scene, scheduler, fates: [], ends: [] }
}

/** Lives through deeds; promises settle between two of them. */
async function live(scene: Scene, names: readonly Deed[]): Promise<void> {
  for (const name of names) {
    deeds[name](scene)
    await settle()
  }
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}

const someDeeds = fc.array(fc.constantFrom(...(Object.keys(deeds) as Deed[])), { maxLength: 25 })

/** Leaves a connection in each of its states. */
const lastDeed = fc.constantFrom<Deed>('connect', 'reconnect', 'drop', 'refuse dials', 'pass a moment', 'pass a second')

describe('whatever is under way', () => {
  it('dispose() ends it: no socket, no timer, no listener remains, and no promise hangs', async () => {
    await fc.assert(
      fc.asyncProperty(someDeeds, async (names) => {
        const scene = createScene()
        const { link, node, platform, scheduler } = scene
        const timers = scheduler.actions.length
        link.keeper.state$.subscribe({ complete: () => scene.ends.push('state') })
        await live(scene, names)
        link.dispose()
        link.dispose()
        await settle()
        expect(node.sockets.filter(({ status }) => status === 'open')).toEqual([])
        expect(scheduler.actions.length).toBe(timers)
        expect([platform.online$.observed, platform.visible$.observed]).toEqual([false, false])
        expect(scene.fates).not.toContain(undefined)
        expect(scene.ends.filter((end) => end === 'state')).toHaveLength(1)
        expect(scene.ends.filter((end) => end === 'ledger')).toHaveLength(
          names.filter((name) => name === 'track coins').length,
        )
      }),
      { numRuns: 150 },
    )
  })

  it('disconnect() rests: the socket is closed, whoever waited to be connected is told, and nothing comes back by itself', async () => {
    await fc.assert(
      fc.asyncProperty(someDeeds, lastDeed, async (names, last) => {
        const scene = createScene()
        const { link, node, scheduler } = scene
        await live(scene, ['connect', ...names, last])
        const connecting = { ...scene, fates: [] }
        if (link.keeper.state.status !== 'connected') follow(connecting, link.keeper.connect(simnet))
        link.keeper.disconnect()
        const dialled = node.dialled.length
        pass(scheduler, 5_000)
        await settle()
        expect(link.keeper.state.status).toBe('disconnected')
        expect(node.sockets.filter(({ status }) => status === 'open')).toEqual([])
        expect(node.dialled).toHaveLength(dialled)
        expect(connecting.fates).not.toContain(undefined)
        link.dispose()
      }),
      { numRuns: 150 },
    )
  })
})
