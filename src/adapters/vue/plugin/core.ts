import { hasInjectionContext, inject, type InjectionKey } from 'vue'
import type { CoreParts } from '../../../engine/core-parts.js'
import { ChainError } from '../../../errors/chain-error.js'

/** Injection key of the app's core. `Symbol.for` makes it equal across two copies of this module. */
export const CORE: InjectionKey<CoreParts> = Symbol.for('vue-chain core')

/** The core of the current app. Errors name `composable`. */
export function useCore(composable: string): CoreParts {
  if (!hasInjectionContext()) {
    throw new ChainError(`${composable}() was called outside the context of a Vue app`, {
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
