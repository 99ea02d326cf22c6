import { createApp, h, shallowReactive, type Component } from 'vue'
import { VueChain, useChainEngine, type ChainEngine } from 'vue-chain'
import type { ActionName } from '../network/action-labels.js'
import { ACTIONS } from '../network/actions.js'
import type { ExampleProps, PageNetwork } from '../network/page-network.js'

/** A component in an app of its own. */
export interface MountedExample {
  /** The engine of the app. */
  readonly engine: ChainEngine
  /** Runs an action; rejects with its error. */
  act(name: ActionName): Promise<void>
  unmount(): void
}

/** Mounts a component in an app with the plugin, on a network of the page. `onError` gets what the component throws. */
export function mountExample(
  component: Component,
  element: Element,
  network: PageNetwork,
  onError: (error: unknown) => void,
): MountedExample {
  const props = shallowReactive<Record<string, unknown>>({ ...network.props })
  const app = createApp({ render: () => h(component, declaredBy(component, props)) })
  app.config.errorHandler = onError
  app.use(VueChain, network.options)
  app.mount(element)
  const engine = app.runWithContext(useChainEngine)
  const setProps = (changes: Partial<ExampleProps>): unknown => Object.assign(props, changes)
  return {
    engine,
    act: async (name) => void (await ACTIONS[name]({ network, engine, setProps })),
    unmount: () => app.unmount(),
  }
}

/** The props that a component declares: others would become attributes of its root element. */
function declaredBy(component: Component, props: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const declared: unknown = 'props' in component ? component.props : {}
  const names = Array.isArray(declared) ? declared : Object.keys(declared ?? {})
  return Object.fromEntries(Object.entries(props).filter(([name]) => names.includes(name)))
}
