import { loadCode } from '../../loading/load-code.js'
import { engineDisposed } from '../../errors/engine-disposed.js'
import type { DiagnoseOptions, Diagnosis } from '../../operations/diagnosis/records.js'
import type { CoreParts } from '../core-parts.js'

export type Diagnose = (options?: DiagnoseOptions) => Promise<Diagnosis>

/** The diagnosis of a core. Its code is loaded with the first call. */
export const diagnosis =
  (core: CoreParts): Diagnose =>
  async (options) => {
    if (core.lifetime.closed) throw engineDisposed()
    const [{ diagnose }, { createProbes }] = await Promise.all([
      loadCode(() => import('../../operations/diagnosis/diagnose.js')),
      loadCode(() => import('../diagnosis-probes.js')),
    ])
    return diagnose(await createProbes(core), options)
  }
