import { engineDisposed } from '../../errors/not-ready-error.js'
import { lazyMethods } from '../../loading/lazy-methods.js'
import { loadCode } from '../../loading/load-code.js'
import type { DiagnoseOptions, Diagnosis } from '../../operations/diagnosis/report.js'
import type { CoreParts } from '../core-parts.js'
import { ChainError } from '../../errors/chain-error.js'
import type { ChainMetrics } from '../recorder/metrics.js'
import { createEventLog, type EventLog } from '../../streams/history.js'

type Diagnose = (options?: DiagnoseOptions) => Promise<Diagnosis>

/** The diagnosis of a core. Its code is loaded with the first call. */
export function diagnosis(core: CoreParts): Diagnose {
  const load = async (): Promise<{ readonly diagnose: Diagnose }> => {
    const [{ diagnose }, { createProbes }] = await Promise.all([
      loadCode(() => import('../../operations/diagnosis/diagnose.js')),
      loadCode(() => import('../diagnosis-probes.js')),
    ])
    return { diagnose: async (options) => diagnose(await createProbes(core), options) }
  }
  return lazyMethods(['diagnose'], load, async (_, run) => {
    if (core.lifetime.closed) throw engineDisposed()
    return run()
  }).diagnose
}

/** The metrics of a core. Throws `ChainError` (`invalid-option`) without a recorder. */
export function metricsOf({ probe }: CoreParts): ChainMetrics {
  if (probe !== undefined) return probe.metrics()
  throw new ChainError('This engine has no recorder, which counts its metrics', {
    code: 'invalid-option',
    argument: 'recorder',
    hint: 'Pass the option `recorder: createRecorder()`.',
  })
}

/** The log of a core's events. It records from its first use on, with or without subscribers. */
export function eventLog(core: CoreParts): EventLog {
  const log = createEventLog(core)
  core.lifetime.add(log.state$.subscribe())
  return log
}
