import { engineDisposed } from '../../errors/not-ready-error.js'
import { lazyMethods } from '../../loading/lazy-methods.js'
import { loadCode } from '../../loading/load-code.js'
import type { DiagnoseOptions, Diagnosis } from '../../operations/diagnosis/report.js'
import type { CoreParts } from '../core-parts.js'

export type Diagnose = (options?: DiagnoseOptions) => Promise<Diagnosis>

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
