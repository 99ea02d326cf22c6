import { createDevnode } from '../../src/devnode/index.js'
import { countedSdk } from '../sdk/counted.js'
import { leftByEngines } from './engines.js'
import { inPage } from './page.js'
import { PLANTS, type PlantName, type Uproot } from './plants.js'
import { leftByReconnects } from './reconnects.js'
import { busyWith, remains, type World } from './traces.js'

export interface LeakOptions {
  readonly engines: number
  readonly reconnects: number
  readonly components: number
  /** How long, in ms, what has been let go may take to be gone. */
  readonly patience: number
  /** Leaks that are planted, to see them found. */
  readonly plants: readonly PlantName[]
}

/**
 * Uses up engines, connections and components, and tells in words what is left of them: sockets, subscriptions at the node,
 * timers, listeners, objects here and in WASM. Afterwards the process is to exit by itself.
 */
export const findLeaks = ({ engines, reconnects, components, patience, plants }: LeakOptions) =>
  inPage(async (page): Promise<readonly string[]> => {
    const devnode = await createDevnode({ blockInterval: 0 })
    const world: World = { devnode, sdk: await countedSdk(), page, patience }
    const uproot = await plant(plants, world)
    try {
      return [
        ...(await leftByEngines(engines, world)),
        ...(await leftByReconnects(reconnects, world)),
        ...(await import('./components.js').then(({ leftByComponents }) => leftByComponents(components, world))),
        ...(await remains('in the end', busyWith, world)),
      ]
    } finally {
      await uproot()
      await devnode.close()
    }
  })

async function plant(names: readonly PlantName[], world: World): Promise<Uproot> {
  const uproots: Uproot[] = []
  for (const name of names) uproots.push(await PLANTS[name](world))
  return async () => {
    for (const uproot of uproots) await uproot()
  }
}
