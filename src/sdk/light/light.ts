import { ChainError } from '../../errors/chain-error.js'
import type { SdkSource } from '../port.js'

/**
 * Keys and signatures without WASM, for the option `sdk`. The code (38 kB) is loaded by `init()`.
 * @example
 * const engine = createChainEngine({ network: 'mainnet', sdk: light })
 */
export const light: SdkSource = {
  loadPort: async () => {
    try {
      const { createLightPort } = await import('./adapter.js')
      return createLightPort()
    } catch (cause) {
      throw notLoaded(cause)
    }
  },
}

const notLoaded = (cause: unknown): ChainError =>
  new ChainError('The key code of vue-chain/light could not be loaded', {
    code: 'wasm-load-failed',
    cause,
    hint: 'Serve all files of the build, and call init() again.',
  })
