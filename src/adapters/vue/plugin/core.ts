import { hasInjectionContext, inject, type InjectionKey } from 'vue'
import type { ChainCore } from '../../../engine/core.js'
import { ChainError } from '../../../errors/chain-error.js'

/** Under which an app provides its core. Of the global registry, so that two copies of this module still find each other. */
export const CORE: InjectionKey<ChainCore> = Symbol.for('vue-chain core')

/** The core of the app at hand; `composable` is named in the error when there is none. */
export function useCore(composable: string): ChainCore {
  if (!hasInjectionContext()) {
    throw new ChainError(`${composable}() was called where Vue cannot tell which app it is for`, {
      code: 'plugin-missing',
      hint: 'Call it in setup(), in a Pinia store, or inside app.runWithContext(), before the first await.',
    })
  }
  const core = inject(CORE, null)
  if (core === null) {
    throw new ChainError(`${composable}() needs the vue-chain plugin, which this app does not have`, {
      code: 'plugin-missing',
      hint: "Install it before mounting: app.use(VueChain, { network: 'mainnet' }).",
    })
  }
  return core
}
