import { Window } from 'happy-dom'
import { createDevnode } from '../../src/devnode/index.js'
import { leftByEngines } from './engines.js'
import { leftByReconnects } from './reconnects.js'
import { busyWith, remains } from './traces.js'

export interface LeakOptions {
  readonly engines: number
  readonly reconnects: number
  readonly components: number
}

/**
 * Uses up engines, connections and components, and tells in words what is left of them: sockets, subscriptions at the node,
 * timers, objects. Afterwards the process is to exit by itself.
 */
export async function findLeaks({ engines, reconnects, components }: LeakOptions): Promise<readonly string[]> {
  const devnode = await createDevnode({ blockInterval: 0 })
  try {
    return [
      ...(await leftByEngines(engines, devnode)),
      ...(await leftByReconnects(reconnects, devnode)),
      ...(await inDom(() =>
        import('./components.js').then(({ leftByComponents }) => leftByComponents(components, devnode)),
      )),
      ...(await remains('in the end', busyWith)),
    ]
  } finally {
    await devnode.close()
  }
}

/** Lets `work` have a DOM. Vue looks for one when it is loaded, which must not happen before. */
async function inDom<T>(work: () => Promise<T>): Promise<T> {
  const window = new Window()
  const { document, Element, SVGElement } = window
  Object.assign(globalThis, { window, document, Element, SVGElement })
  try {
    return await work()
  } finally {
    await window.happyDOM.close()
  }
}
