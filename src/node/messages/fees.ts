import type { Shape } from './shape.js'

/** Fee rates, in sompi per gram of mass. */

const bucket = { tag: 'none', fields: { feerate: 'f64', estimatedSeconds: 'f64' } } as const satisfies Shape

export const feeEstimate = {
  tag: 'u16',
  fields: { priorityBucket: bucket, normalBuckets: { vec: bucket }, lowBuckets: { vec: bucket } },
} as const satisfies Shape

/** A feerate is infinite while the mempool contains a transaction of storage mass 0, and -1 while it is empty. */
export const feeEstimateVerbose = {
  tag: 'u16',
  fields: {
    mempoolReadyTransactionsCount: 'count',
    mempoolReadyTransactionsTotalMass: 'count',
    networkMassPerSecond: 'count',
    nextBlockTemplateFeerateMin: 'f64',
    nextBlockTemplateFeerateMedian: 'f64',
    nextBlockTemplateFeerateMax: 'f64',
  },
} as const satisfies Shape
