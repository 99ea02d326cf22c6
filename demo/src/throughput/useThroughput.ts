import { useRpc, useRpcEvent, useRpcQuery } from 'vue-chain'
import { shallowReadonly, shallowRef, watch, type Ref } from 'vue'
import { useNow } from '../shared/clock'

/** One value per second, newest last; null while unknown. */
export interface Series {
  readonly name: string
  readonly unit: string
  readonly values: readonly (number | null)[]
}

/** Length of the charts in seconds. */
export const SPAN = 180
/** Averaging window in seconds. */
const WINDOW = 5

const EMPTY: readonly (number | null)[] = Array.from({ length: SPAN }, () => null)

/** Blocks and transactions per second, and the mempool size. */
export function useThroughput(): Readonly<Ref<readonly Series[]>> {
  const { isConnected } = useRpc()
  const { data: mempool } = useRpcQuery({
    queryKey: ['mempool'],
    queryFn: ({ rpc, signal }) => rpc.getMempoolEntries(false, { signal }),
    refetchInterval: 2_000,
  })
  const series = shallowRef<readonly Series[]>([
    { name: 'Blocks', unit: 'a second', values: EMPTY },
    { name: 'Transactions', unit: 'a second', values: EMPTY },
    { name: 'Mempool', unit: 'transactions', values: EMPTY },
  ])
  /** Counts per second, the current second last. */
  let seconds = [{ blocks: 0, transactions: 0 }]

  useRpcEvent('block-added', ({ data }) => {
    const current = seconds.at(-1)
    if (current === undefined) return
    current.blocks += 1
    current.transactions += data.block.transactions.length
  })

  function sample(): void {
    const rate = (of: 'blocks' | 'transactions'): number =>
      seconds.reduce((sum, second) => sum + second[of], 0) / seconds.length
    const measured = isConnected.value ? [rate('blocks'), rate('transactions'), mempool.value?.length ?? null] : []
    series.value = series.value.map((one, index) => ({
      ...one,
      values: [...one.values.slice(1), measured[index] ?? null],
    }))
    seconds = [...seconds.slice(1 - WINDOW), { blocks: 0, transactions: 0 }]
  }
  watch(useNow(), sample)
  return shallowReadonly(series)
}
