import { setupDevToolsPlugin } from '@vue/devtools-api'
import { Subscription } from 'rxjs'
import type { App } from 'vue'
import type { CoreParts } from '../../../engine/core-parts.js'
import type { VueChainOptions } from '../plugin/options.js'
import { addInspector } from './inspector.js'
import { addTimeline } from './timeline.js'

/** What the plugin does in development only. */
export const development = { attachDevtools }

/**
 * Shows a core in Vue DevTools, unless `devtools` is false. Call it before the app is mounted. The parts are added once
 * a panel is open and has selected the app; until then it costs nothing. They end with the core. Without DevTools it
 * does nothing.
 */
function attachDevtools(app: App, core: CoreParts, { devtools = true }: VueChainOptions): void {
  if (!devtools) return
  const { recorder } = core.options
  const id = `vue-chain:${app._uid}` // DevTools finds the parts of all apps of a page by their ids alone
  let isSetUp = false
  const descriptor = { id, app, label: 'vue-chain', packageName: 'vue-chain', homepage: HOMEPAGE }
  setupDevToolsPlugin(descriptor, (api) => {
    if (isSetUp) return // DevTools calls it again when a panel opens, if the app was mounted before this call
    isSetUp = true
    const shown = new Subscription()
    shown.add(addInspector(api, { id, app, core }))
    if (recorder) shown.add(addTimeline(api, id, { recorder, platform: core.platform }))
    core.lifetime.add(shown)
  })
}

const HOMEPAGE = 'https://www.npmjs.com/package/vue-chain'
