import { computed, type ComputedRef, type Ref } from 'vue'
import type { ChainError } from '../../../errors/chain-error.js'
import type { WasmStatus } from '../../../streams/wasm.js'
import { useStream } from '../bridges/stream-refs.js'
import { useCore } from '../plugin/core.js'

export interface UseChainReturn {
  readonly wasmStatus: Readonly<Ref<WasmStatus>>
  /** Why the module failed to load or panicked; null unless `wasmStatus` is `error`. */
  readonly wasmError: Readonly<Ref<ChainError | null>>
  readonly isReady: ComputedRef<boolean>
  /**
   * Loads the WASM module, required for keys and signatures. Concurrent calls share one load; retries after an error.
   */
  readonly init: () => Promise<void>
  /** Disconnects, then resets the module to `idle`. */
  readonly reset: () => void
}

/** Lifecycle of the WASM module, shared by all calls of the app. */
export function useChain(): UseChainReturn {
  const { wasm, connection } = useCore('useChain')
  const state = useStream(wasm.status$, { status: 'idle' })
  return {
    wasmStatus: computed(() => state.value.status),
    wasmError: computed(() => (state.value.status === 'error' ? state.value.error : null)),
    isReady: computed(() => state.value.status === 'ready'),
    init: () => wasm.init(),
    reset: () => {
      void connection.disconnect() // never rejects
      wasm.reset()
    },
  }
}
