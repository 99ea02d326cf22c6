import { useChain, useTransaction, type CreateTransactionSettings, type TransactionSummary } from 'vue-chain'
import { shallowReadonly, shallowRef, watch, type Ref } from 'vue'

/** What a payment would cost: not known yet, known, or why it cannot be made. */
export type Estimate =
  | { readonly type: 'unknown' }
  | { readonly type: 'known'; readonly summary: TransactionSummary }
  | { readonly type: 'impossible'; readonly error: Error }

const UNKNOWN: Estimate = { type: 'unknown' }

/** The estimate for `settings`, made anew whenever they change; unknown while there are none, or while keys still load. */
export function useEstimate(settings: () => CreateTransactionSettings | undefined): Readonly<Ref<Estimate>> {
  const { isReady } = useChain()
  const { estimate } = useTransaction()
  const state = shallowRef<Estimate>(UNKNOWN)

  async function ask(wanted: CreateTransactionSettings, signal: AbortSignal): Promise<Estimate> {
    try {
      return { type: 'known', summary: await estimate(wanted, { signal }) }
    } catch (error) {
      return { type: 'impossible', error: error instanceof Error ? error : new Error(String(error)) }
    }
  }
  watch(
    () => (isReady.value ? settings() : undefined),
    async (wanted, _before, onCleanup) => {
      const outdated = new AbortController()
      onCleanup(() => outdated.abort())
      const answer = wanted === undefined ? UNKNOWN : await ask(wanted, outdated.signal)
      if (!outdated.signal.aborted) state.value = answer
    },
    { immediate: true },
  )
  return shallowReadonly(state)
}
