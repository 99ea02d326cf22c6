import { shallowReadonly, shallowRef, type Ref } from 'vue'
import { feature } from '../../../engine/core-parts.js'
import { diagnosis } from '../../../engine/features/diagnosis.js'
import type { DiagnoseOptions, Diagnosis } from '../../../operations/diagnosis/report.js'
import { useCore } from '../plugin/core.js'

export interface UseDiagnosisReturn {
  /** The latest report; null before the first one. */
  readonly report: Readonly<Ref<Diagnosis | null>>
  readonly isRunning: Readonly<Ref<boolean>>
  /**
   * Checks node, resolver, indexer, WASM file, wallets and page, read-only. Resolves to the report. A new run aborts
   * the one before. Rejects with `ChainError`: `aborted` by `signal` or a new run, `disposed`.
   */
  readonly run: (options?: DiagnoseOptions) => Promise<Diagnosis>
}

/** What works and what does not, with a remedy for each failure. */
export function useDiagnosis(): UseDiagnosisReturn {
  const core = useCore('useDiagnosis')
  const report = shallowRef<Diagnosis | null>(null)
  const isRunning = shallowRef(false)
  let current: AbortController | undefined

  async function run(options: DiagnoseOptions = {}): Promise<Diagnosis> {
    current?.abort()
    const own = (current = new AbortController())
    const signal = options.signal === undefined ? own.signal : AbortSignal.any([own.signal, options.signal])
    isRunning.value = true
    return feature(
      core,
      diagnosis,
    )({ ...options, signal })
      .then((found) => (report.value = found))
      .finally(() => {
        if (current === own) isRunning.value = false
      })
  }
  return { report: shallowReadonly(report), isRunning: shallowReadonly(isRunning), run }
}
