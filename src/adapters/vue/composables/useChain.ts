import { computed, type ComputedRef, type Ref } from 'vue'
import type { WasmStatus } from '../../../streams/wasm-state.js'
import { useStream } from '../bridges/stream-to-ref.js'
import { useCore } from '../plugin/core.js'

export interface UseChainReturn {
  readonly wasmStatus: Readonly<Ref<WasmStatus>>
  /** Why the module could not be loaded, or broke; null unless `wasmStatus` is `error`. */
  readonly wasmError: Readonly<Ref<Error | null>>
  readonly isReady: ComputedRef<boolean>
  /** Loads the WASM module, which keys and signatures need. Concurrent calls share one load; after an error it tries again. */
  readonly init: () => Promise<void>
  /** Disconnects, then takes the module back to `idle`. */
  readonly reset: () => void
}

/** The WASM module's life. It belongs to the app: every call sees the same. */
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
