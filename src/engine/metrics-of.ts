import { ChainError } from '../errors/chain-error.js'
import type { CoreParts } from './core-parts.js'
import type { ChainMetrics } from './recorder/metrics.js'

/** The metrics of a core. Throws `ChainError` (`invalid-option`) without a recorder. */
export function metricsOf({ probe }: CoreParts): ChainMetrics {
  if (probe !== undefined) return probe.metrics()
  throw new ChainError('This engine has no recorder, which counts its metrics', {
    code: 'invalid-option',
    argument: 'recorder',
    hint: 'Pass the option `recorder: createRecorder()`.',
  })
}
