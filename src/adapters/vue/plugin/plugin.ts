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
    app.onUnmount((): unknown => core.dispose()) // what does not end is told to the app's error handler
    if (core.options.autoConnect && !isServer()) warmUp(core)
    // On a server the dial fails at once, so that whoever waits for a connection is told so.
    if (core.options.autoConnect || isServer()) dial(core)
  },
}

/** Dials. What goes wrong is a state of the connection, and there is nobody else to tell. */
function dial({ connection, options }: ChainCore): void {
  connection.connect().catch((error: unknown) => options.logger.warn('Could not connect', { error }))
}
