import { useChain, useTransaction, type CreateTransactionSettings, type TransactionSummary } from 'vue-chain'
import { shallowReadonly, shallowRef, watch, type Ref } from 'vue'

/** The estimate of a payment, or the error that prevents it. */
export type Estimate =
  | { readonly type: 'unknown' }
  | { readonly type: 'known'; readonly summary: TransactionSummary }
  | { readonly type: 'impossible'; readonly error: Error }

const UNKNOWN: Estimate = { type: 'unknown' }

/** The estimate for `settings`, updated with them; unknown without settings and until the WASM module is ready. */
export function useEstimate(settings: () => CreateTransactionSettings | undefined): Readonly<Ref<Estimate>> {
  const { isReady } = useChain()
  const { estimate } = useTransaction()
  const state = shallowRef<Estimate>(UNKNOWN)

  async function fetchEstimate(current: CreateTransactionSettings, signal: AbortSignal): Promise<Estimate> {
    try {
      return { type: 'known', summary: await estimate(current, { signal }) }
    } catch (error) {
      return { type: 'impossible', error: error instanceof Error ? error : new Error(String(error)) }
    }
  }
  watch(
    () => (isReady.value ? settings() : undefined),
    async (wanted, _before, onCleanup) => {
      const outdated = new AbortController()
      onCleanup(() => outdated.abort())
      const result = wanted === undefined ? UNKNOWN : await fetchEstimate(wanted, outdated.signal)
      if (!outdated.signal.aborted) state.value = result
    },
    { immediate: true },
  )
  return shallowReadonly(state)
}
