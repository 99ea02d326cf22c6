/** A figure over time: what may not grow. */
export interface Series {
  readonly name: string
  /** What it may grow by from the first to the last sample. */
  readonly tolerance: number
  readonly samples: readonly Sample[]
}

export interface Sample {
  /** Time since the start, s. */
  readonly at: number
  readonly value: number
}

/** The line through samples with the least squares. */
export interface Fit {
  readonly mean: number
  /** Growth of the line over all samples. */
  readonly growth: number
  /** The standard error of `growth`. */
  readonly error: number
}

/** Fits a line. NaN for fewer than three samples. */
export function fit(samples: readonly Sample[]): Fit {
  const count = samples.length
  const meanOf = (read: (sample: Sample) => number): number => samples.reduce((sum, one) => sum + read(one), 0) / count
  const [meanAt, mean] = [meanOf(({ at }) => at), meanOf(({ value }) => value)]
  const spread = samples.reduce((sum, { at }) => sum + (at - meanAt) ** 2, 0)
  const slope = samples.reduce((sum, { at, value }) => sum + (at - meanAt) * (value - mean), 0) / spread
  const residuals = samples.reduce((sum, { at, value }) => sum + (value - mean - slope * (at - meanAt)) ** 2, 0)
  const span = (samples.at(-1)?.at ?? NaN) - (samples[0]?.at ?? NaN)
  return { mean, growth: slope * span, error: Math.sqrt(residuals / (count - 2) / spread) * span }
}

/**
 * Whether a figure grows: by more than its tolerance, and by more than twice the standard error, so that a garbage
 * collection at the end of a run is no leak. A figure that cannot be fitted counts as growing.
 */
export function grows({ samples, tolerance }: Series): boolean {
  const { growth, error } = fit(samples)
  return !(growth <= Math.max(tolerance, 2 * error))
}
