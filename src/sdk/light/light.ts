import { loadCode } from '../../loading/load-code.js'
import type { SdkSource } from '../port.js'

/**
 * Keys and signatures without WASM, for the option `sdk`. The code (38 kB) is loaded by `init()`.
 * @example
 * const engine = createChainEngine({ network: 'mainnet', sdk: light })
 */
export const light: SdkSource = {
  loadPort: async () => {
    const { createLightPort } = await loadCode(() => import('./adapter.js'))
    return createLightPort()
  },
}
