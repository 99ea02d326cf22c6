import { createCounters } from './counters.js'
import type { Frames } from './frames.js'
import { toRestPath } from './masks.js'
import type { ChainMetrics } from './metrics.js'
import { observeCore } from './observe-core.js'
import { observeNode, observeResolver, type ObserveNodeDeps } from './observe-node.js'
import { observePlatform, type FrameMeter } from './observe-platform.js'
import type { ObservedCore, ObservedSets, Probe } from './probe.js'
import type { FlightRecord } from './records.js'

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
