import type { App, ObjectPlugin } from 'vue'
import { createCore, type ChainCore } from '../../../engine/core.js'
import { warmUp } from '../../../engine/warm-up.js'
import { isServer } from '../bridges/is-server.js'
import { development } from '../devtools/production.js'
import { CORE } from './core.js'
import type { VueChainOptions } from './options.js'
import { forServer } from './server.js'
import { TEXTS } from './texts.js'

/**
 * The plugin: `app.use(VueChain, options)`. Each app gets its own engine, disposed when the app is unmounted. Connects at
 * once unless `autoConnect` is false; a failure is shown in `useRpc().error`. Does not connect on a server.
 * Throws `ChainError` (`invalid-option`) that names an invalid option and the allowed values.
 */
export const VueChain: ObjectPlugin<[options?: VueChainOptions]> = {
  install(app: App, options: VueChainOptions = {}) {
    const given = isServer() ? forServer(options) : options
    const core = createCore(development ? development.withRecorder(given) : given)
    app.provide(CORE, core)
    if (options.texts !== undefined) app.provide(TEXTS, options.texts)
    if (development) development.attachDevtools(app, core, options)
    app.onUnmount((): unknown => core.dispose()) // a failure goes to the app's error handler
    if (core.options.autoConnect && !isServer()) warmUp(core)
    // On a server the connection fails at once, so that pending calls reject.
    if (core.options.autoConnect || isServer()) connect(core)
  },
}

/** Connects. A failure is also in the state of the connection. */
function connect({ connection, options }: ChainCore): void {
  connection.connect().catch((error: unknown) => options.logger.warn('Could not connect', { error }))
}
