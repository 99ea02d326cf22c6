import { createApp, type App } from 'vue'
import { VueChain } from '../../../src/adapters/vue/plugin/plugin.js'
import type { VueChainOptions } from '../../../src/adapters/vue/plugin/options.js'
import { scriptedSdk } from '../../streams/scripted-sdk.js'
import type { ScriptedNode } from './scripted-node.js'

/** A component mounted in a real app that has the plugin, and what its setup returned. */
export interface Mounted<T> {
  readonly app: App
  readonly result: T
  readonly unmount: () => void
}

/** Mounts a component with this `setup` in an app with the plugin. @default simnet */
export function withApp<T>(
  node: Pick<ScriptedNode, 'port'>,
  setup: () => T,
  options: VueChainOptions = {},
): Mounted<T> {
  const ports = { node: node.port, sdk: scriptedSdk(), ...options.ports }
  return mountApp(setup, (app) => app.use(VueChain, { network: 'simnet', autoConnect: false, ...options, ports }))
}

/** The same in an app configured by `prepare`. */
export function mountApp<T>(setup: () => T, prepare: (app: App) => void): Mounted<T> {
  let result: { readonly value: T } | undefined
  const app = createApp({
    setup() {
      result = { value: setup() }
    },
    render: () => null,
  })
  let failure: unknown = new Error('The component was not set up')
  app.config.errorHandler = (error) => (failure = error)
  prepare(app)
  app.mount(document.createElement('div'))
  if (result === undefined) throw failure
  return { app, result: result.value, unmount: () => app.unmount() }
}
