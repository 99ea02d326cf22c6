import type { App, ObjectPlugin } from 'vue'
import { createParts } from '../../../engine/core.js'
import type { CoreParts } from '../../../engine/core-parts.js'
import { warmUp } from '../../../engine/features/keys.js'
import { isServer } from '../bridges/render-phase.js'
import { development } from '../devtools/production.js'
import { CORE } from './core.js'
import { HYDRATION, type HydrationStore } from './hydration.js'
import { type VueChainOptions, forServer, TEXTS } from './options.js'

/**
 * The plugin: `app.use(VueChain, options)`. Each app gets its own engine, disposed when the app is unmounted. Connects
 * at once unless `autoConnect` is false, with `hydration` once the page is hydrated; a failure is shown in
 * `useRpc().error`. Does not connect on a server. Throws `ChainError` (`invalid-option`) that names an invalid option
 * and the allowed values.
 */
export const VueChain: ObjectPlugin<[options?: VueChainOptions]> = {
  install(app: App, options: VueChainOptions = {}) {
    const core = createParts(isServer() ? forServer(options) : options)
    app.provide(CORE, core)
    const { texts, hydration } = options
    if (texts !== undefined) app.provide(TEXTS, texts)
    if (hydration !== undefined) app.provide(HYDRATION, hydration)
    if (development) development.attachDevtools(app, core, options)
    app.onUnmount((): unknown => core.dispose()) // a failure goes to the app's error handler
    if (isServer()) startOnServer(core, hydration)
    else if (core.options.autoConnect) (hydration?.onHydrated ?? atOnce)(() => start(core))
  },
}

/** The connection fails at once, so that pending calls reject. */
function startOnServer(core: CoreParts, hydration: HydrationStore | undefined): void {
  connect(core)
  hydration?.onRendered(() => void core.dispose().catch((error: unknown) => warn(core, 'Could not dispose', error)))
}

const atOnce = (run: () => void): void => run()

function start(core: CoreParts): void {
  if (core.lifetime.closed) return // unmounted before it was hydrated
  warmUp(core)
  connect(core)
}

/** Connects. A failure is also in the state of the connection. */
function connect(core: CoreParts): void {
  core.connection.connect().catch((error: unknown) => warn(core, 'Could not connect', error))
}

const warn = ({ options }: CoreParts, message: string, error: unknown): void => options.logger.warn(message, { error })
