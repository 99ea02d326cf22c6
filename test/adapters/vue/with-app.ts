import { throwError } from 'rxjs'
import { onTestFinished } from 'vitest'
import { createApp, type App } from 'vue'
import { ChainError } from '../../../src/errors/chain-error.js'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import type { NodePort } from '../../../src/node/port.js'
import { VueChain } from '../../../src/adapters/vue/plugin/plugin.js'
import type { VueChainOptions } from '../../../src/adapters/vue/plugin/options.js'
import { createScriptedNode, type ScriptedNode, type ScriptedNodeOptions } from '../../../src/testing/scripted-node.js'
import { scriptedSdk } from '../../streams/scripted-sdk.js'

/** A component mounted in a real app that has the plugin, and what its setup returned. */
export interface Mounted<T> {
  readonly app: App
  readonly result: T
  readonly unmount: () => void
}

/** Mounts a component with this `setup` in an app with the plugin. @default simnet */
export function withApp<T>(node: NodePort, setup: () => T, options: VueChainOptions = {}): Mounted<T> {
  const ports = { node, sdk: scriptedSdk(), ...options.ports }
  return mountApp(setup, (app) => app.use(VueChain, { network: 'simnet', autoConnect: false, ...options, ports }))
}

/** The same in an app configured by `prepare`. It is unmounted with the test, if not before. */
export function mountApp<T>(setup: () => T, prepare: (app: App) => void): Mounted<T> {
  const mounted = mountOpenEnded(setup, prepare)
  unmountWithTest(mounted.app)
  return mounted
}

/** The same, outside a test: `unmount` ends it. */
export function mountOpenEnded<T>(setup: () => T, prepare: (app: App) => void): Mounted<T> {
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

/** Unmounts a mounted app at the end of the test, if not before. */
export function unmountWithTest(app: App): void {
  let isMounted = true
  app.onUnmount(() => (isMounted = false))
  onTestFinished(() => {
    if (isMounted) app.unmount()
  })
}

/** A scripted node at DAA score 1,000. */
export function createNode(options?: ScriptedNodeOptions): ScriptedNode {
  const node = createScriptedNode(options)
  node.notify({ type: 'virtual-daa-score-changed', data: { virtualDaaScore: 1_000n } })
  return node
}

export const openSockets = ({ sockets }: ScriptedNode): number =>
  sockets.filter(({ status }) => status === 'open').length

/** A node that refuses every connection. */
export function createUnreachableNode(): ScriptedNode {
  const node = createScriptedNode()
  node.onDial(({ url }) =>
    throwError(
      () => new ChainRpcError('connect', new ChainError(`No node listens at ${url}`), { code: 'connect-failed' }),
    ),
  )
  return node
}
