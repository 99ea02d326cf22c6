import type { ChainEngineOptions } from '../../../engine/options.js'

/** Options of the plugin: those of an engine, and what only an app has. Times in ms. */
export interface VueChainOptions extends ChainEngineOptions {
  /** Loads the WASM module and connects when the plugin is installed. @default true */
  readonly autoConnect?: boolean | undefined
  /** Shows connection and notifications in Vue DevTools. @default true in development */
  readonly devtools?: boolean | undefined
}
