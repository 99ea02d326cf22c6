import { useRpcQuery, type CreateTransactionSettings, type FeeEstimate } from 'vue-chain'
import { computed, shallowRef } from 'vue'
import { UNKNOWN } from '../shared/format'
import { useEstimate, type Estimate } from './useEstimate'

/** A fee bucket, formatted. */
export interface FeeOption {
  readonly name: 'priority' | 'normal' | 'low'
  /** Sompi per gram, as text. */
  readonly rate: string
  /** Fee of the draft in sompi; undefined while unknown. */
  readonly fee: bigint | undefined
  readonly wait: string
}

const NAMES = ['priority', 'normal', 'low'] as const

/** The node's fee buckets with the fee of the draft in each, and the selected one. */
export function useFees(toSettings: (feeRate: number | undefined) => CreateTransactionSettings | undefined) {
  const { data } = useRpcQuery({
    queryKey: ['fee estimate'],
    queryFn: ({ rpc, signal }) => rpc.getFeeEstimate({ signal }),
    refetchInterval: 5_000,
  })
  const selected = shallowRef<FeeOption['name']>('normal')

  const bucketOf = (name: FeeOption['name']): FeeEstimate['priorityBucket'] | undefined =>
    name === 'priority'
      ? data.value?.priorityBucket
      : (name === 'low' ? data.value?.lowBuckets : data.value?.normalBuckets)?.[0]
  const estimates = {
    priority: useEstimate(() => toSettings(bucketOf('priority')?.feerate)),
    normal: useEstimate(() => toSettings(bucketOf('normal')?.feerate)),
    low: useEstimate(() => toSettings(bucketOf('low')?.feerate)),
  }
  const options = computed(() => NAMES.map((name) => toOption(name, bucketOf(name), estimates[name].value)))
  const estimate = computed(() => estimates[selected.value].value)
  const feeRate = computed(() => bucketOf(selected.value)?.feerate)
  return { selected, options, estimate, feeRate }
}

function toOption(
  name: FeeOption['name'],
  bucket: FeeEstimate['priorityBucket'] | undefined,
  estimate: Estimate,
): FeeOption {
  return {
    name,
    rate: bucket === undefined ? UNKNOWN : String(Math.round(bucket.feerate * 100) / 100),
    fee: estimate.type === 'known' ? estimate.summary.fees : undefined,
    wait:
      bucket === undefined
        ? UNKNOWN
        : bucket.estimatedSeconds < 1
          ? '< 1 s'
          : `~ ${Math.round(bucket.estimatedSeconds)} s`,
  }
}
