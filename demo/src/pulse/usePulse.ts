import { useRpc, useRpcEvent, useRpcQuery } from 'vue-chain'
import { shallowReadonly, shallowRef, watch, type Ref } from 'vue'
import { useNow } from '../shared/clock'

/** A measure over the last minutes: a value for each second, the newest last; null where nothing was known. */
export interface Series {
  readonly name: string
  readonly unit: string
  readonly values: readonly (number | null)[]
}

/** Seconds on the charts. */
export const SPAN = 180
/** Seconds over which a rate is averaged. */
const WINDOW = 5

const EMPTY: readonly (number | null)[] = Array.from({ length: SPAN }, () => null)

/** Blocks and transactions a second, and the size of the mempool. */
export function usePulse(): Readonly<Ref<readonly Series[]>> {
  const { isConnected } = useRpc()
  const { data: mempool } = useRpcQuery('mempool', (rpc) => rpc.getMempoolEntries(), { refetchInterval: 2000 })
  const series = shallowRef<readonly Series[]>([
    { name: 'Blocks', unit: 'a second', values: EMPTY },
    { name: 'Transactions', unit: 'a second', values: EMPTY },
    { name: 'Mempool', unit: 'transactions', values: EMPTY },
  ])
  /** What each of the last seconds brought, the present one last. */
  let seconds = [{ blocks: 0, transactions: 0 }]

  useRpcEvent('block-added', ({ data }) => {
    const present = seconds.at(-1)
    if (present === undefined) return
    present.blocks += 1
    present.transactions += data.block.transactions.length
  })

  function beat(): void {
    const rate = (of: 'blocks' | 'transactions'): number =>
      seconds.reduce((sum, second) => sum + second[of], 0) / seconds.length
    const measured = isConnected.value ? [rate('blocks'), rate('transactions'), mempool.value?.length ?? null] : []
    series.value = series.value.map((one, index) => ({
      ...one,
      values: [...one.values.slice(1), measured[index] ?? null],
    }))
    seconds = [...seconds.slice(1 - WINDOW), { blocks: 0, transactions: 0 }]
  }
  watch(useNow(), beat)
  return shallowReadonly(series)
}
