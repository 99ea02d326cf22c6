import type { App, ObjectPlugin } from 'vue'
import { createCore, type ChainCore } from '../../../engine/core.js'
import { warmUp } from '../../../engine/warm-up.js'
import { isServer } from '../bridges/is-server.js'
import { CORE } from './core.js'
import type { VueChainOptions } from './options.js'
import { forServer } from './server.js'

/**
 * The plugin: `app.use(VueChain, options)`. Each app gets an engine of its own, which ends when the app is unmounted.
 * Unless `autoConnect` is false it dials at once; a failure ends in `useRpc().error`. On a server it does nothing.
 * Throws `ChainError` (`invalid-option`) that names a bad option and what is allowed.
 */
export const VueChain: ObjectPlugin<[options?: VueChainOptions]> = {
  install(app: App, options: VueChainOptions = {}) {
    const core = createCore(isServer() ? forServer(options) : options)
    app.provide(CORE, core)
    app.onUnmount(() => void core.dispose())
    if (core.options.autoConnect) start(core)
  },
}

/** Dials, and loads the WASM module beside it. */
function start(core: ChainCore): void {
  warmUp(core)
  // What goes wrong is a state of the connection, and a failed start nobody waits for.
  core.connection.connect().catch((error: unknown) => core.options.logger.warn('Could not connect', { error }))
}
