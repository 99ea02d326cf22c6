import { createCounters, type ChainMetrics } from './metrics.js'
import type { Frames } from './memory.js'
import { toRestPath, toEndpoint } from './masks.js'
import { observeNode, observeResolver, type ObserveNodeDeps } from './observe-node.js'
import { observePlatform, type FrameMeter } from './observe-platform.js'
import type { ObservedCore, ObservedSets, Probe } from './probe.js'
import type { FlightRecord } from './recorder.js'
import { merge, map, skip } from 'rxjs'
import type { ChainEvent } from '../../streams/session/events.js'

/** The probe of one engine. `push` stores a record; `frames` is null where they are not captured. */
export function createProbe(push: (record: FlightRecord) => void, frames: Frames | null): Probe {
  const counters = createCounters()
  const meter: FrameMeter = { sent: null, received: null, socket: null }
  const pending = { count: 0 }
  const record = (entry: FlightRecord): void => {
    counters.count(entry)
    push(entry)
  }
  let clock: Pick<ObserveNodeDeps, 'now' | 'scheduler'> = { now: () => Date.now(), scheduler: performance }
  let core: ObservedCore | undefined
  let sets: ObservedSets | undefined
  let changedAt: number | null = null
  let tabs: number | null = null

  const deps = (): ObserveNodeDeps => ({ meter, record, pending, ...clock })
  return {
    record,
    platform: (platform) => {
      clock = { now: () => platform.now(), scheduler: platform.scheduler }
      const onLate = (late: number): void => record({ at: platform.now(), type: 'timer', late })
      return observePlatform(platform, { meter, frames, onLate })
    },
    node: (node) => observeNode(node, deps()),
    resolver: (resolve) => observeResolver(resolve, deps()),
    core: (created) => {
      core = created
      observeCore(core, meter, record)
      const sharing = core.connectionSharing$.subscribe((state) => {
        tabs = state.connection === 'shared' ? state.tabs : null
      })
      core.lifetime.add(sharing)
      core.lifetime.add(core.serverInfo$.subscribe((info) => (changedAt = info?.daaScoreChangedAt ?? null)))
    },
    utxoSets: (created) => {
      sets = created
      const applied = sets.applied$.subscribe(({ from, changes }) => {
        const sum = (list: 'added' | 'removed'): number => changes.reduce((total, each) => total + each[list].length, 0)
        const [added, removed] = [sum('added'), sum('removed')]
        record({ at: clock.now(), type: 'utxos', from, addresses: changes.length, added, removed })
      })
      core?.lifetime.add(applied)
    },
    rest: ({ path, ...report }) => record({ at: clock.now(), type: 'rest', ...report, path: toRestPath(path) }),
    metrics: (): ChainMetrics => ({
      ...counters.read(clock.now()),
      connectionTabs: tabs,
      lag: changedAt === null ? null : Math.max(0, clock.now() - changedAt),
      trackedAddresses: sets?.all.size ?? 0,
      trackedUtxos: [...(sets?.all.values() ?? [])].reduce((sum, { entries }) => sum + entries.size, 0),
      pendingCalls: pending.count,
      bufferedBytes: meter.socket?.bufferedAmount ?? 0,
    }),
  }
}

/** Records the connection, notifications, the WASM module and the environment, until the engine is disposed. */
function observeCore(core: ObservedCore, meter: FrameMeter, record: (record: FlightRecord) => void): void {
  const { connection, received$, wasm, platform, lifetime } = core
  const now = (): number => platform.now()
  lifetime.add(
    connection.state$.pipe(skip(1)).subscribe(({ status, url, attempt, error }) =>
      record({
        at: now(),
        type: 'connection',
        status,
        endpoint: url === null ? null : toEndpoint(url),
        attempt,
        reason: error?.code ?? null,
      }),
    ),
  )
  lifetime.add(received$.subscribe((event) => recordEvent(event, meter, record)))
  lifetime.add(wasm.status$.pipe(skip(1)).subscribe(({ status }) => record({ at: now(), type: 'wasm', status })))
  const changes$ = merge(
    platform.online$.pipe(
      skip(1),
      map((isOnline) => (isOnline ? 'online' : 'offline')),
    ),
    platform.visible$.pipe(
      skip(1),
      map((isVisible) => (isVisible ? 'visible' : 'hidden')),
    ),
  )
  lifetime.add(changes$.subscribe((change) => record({ at: now(), type: 'environment', change })))
}

function recordEvent(event: ChainEvent, meter: FrameMeter, record: (record: FlightRecord) => void): void {
  if (event.type === 'connect' || event.type === 'disconnect') return // recorded as transitions
  const { type: notification, timestamp: at } = event
  record({ at, type: 'notification', notification, bytes: meter.received, count: countOf(event) })
  const blocks = event.type === 'virtual-chain-changed' ? event.data.removedChainBlockHashes.length : 0
  if (blocks > 0) record({ at, type: 'rollback', blocks })
}

/** How much a notification contains. */
function countOf(event: ChainEvent): number {
  switch (event.type) {
    case 'block-added':
      return event.data.block.transactions.length
    case 'utxos-changed':
      return event.data.added.length + event.data.removed.length
    case 'virtual-chain-changed':
      return event.data.addedChainBlockHashes.length + event.data.removedChainBlockHashes.length
    default:
      return 1
  }
}
