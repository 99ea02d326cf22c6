import type { WasmControl } from '../../streams/wasm.js'
import type { ChainCore } from '../chain-core.js'
import { partsOf } from '../core-parts.js'

/** The WASM module, needed for keys and signatures only. */
export function wasm(core: ChainCore): WasmControl {
  const { wasm: loaded } = partsOf(core)
  return { status$: loaded.status$, init: () => loaded.init(), reset: () => loaded.reset() }
}
