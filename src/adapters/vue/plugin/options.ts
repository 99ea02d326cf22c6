import type { ChainEngineOptions } from '../../../engine/options.js'
import type { ConnectWalletTexts } from '../components/connect-wallet/texts.js'
import type { HydrationStore } from './hydration.js'

/** Options of the plugin: the engine's options and those of a Vue app. Times in ms. */
export interface VueChainOptions extends ChainEngineOptions {
  /** Loads the WASM module and connects when the plugin is installed. @default true */
  readonly autoConnect?: boolean | undefined
  /**
   * Shows the engine in Vue DevTools. Only in bundles built with the condition `development`, as those of development
   * servers; no others contain the code. @default true
   */
  readonly devtools?: boolean | undefined
  /** Replacements for the English texts of all components. @default English */
  readonly texts?: Partial<ConnectWalletTexts> | undefined
  /** Set by frameworks that render on a server. @default REST results travel by `dehydrateRest` and `hydrateRest` */
  readonly hydration?: HydrationStore | undefined
}
