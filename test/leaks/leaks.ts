import { createDevnode } from '../../src/devnode/index.js'
import { countedSdk } from '../sdk/counted-sdk.js'
import { engineLeaks } from './engines.js'
import { withPage } from './page.js'
import { PLANTS, type PlantName, type RemoveLeak } from './plants.js'
import { reconnectLeaks } from './reconnects.js'
import { activeHandles, leakedAfter, type Environment } from './resources.js'

export interface LeakOptions {
  readonly engines: number
  readonly reconnects: number
  readonly components: number
  /** Time limit for the removal of released resources, ms. */
  readonly timeout: number
  /** Leaks planted to test the detection. */
  readonly plants: readonly PlantName[]
}

/**
 * Creates and disposes of engines, connections and components; resolves to the leaked resources: sockets, subscriptions
 * at the node, timers, DOM listeners, objects in memory and in WASM. Afterwards the process must exit by itself.
 */
export const findLeaks = ({ engines, reconnects, components, timeout, plants }: LeakOptions) =>
  withPage(async (page): Promise<readonly string[]> => {
    const devnode = await createDevnode({ blockInterval: 0 })
    const environment: Environment = { devnode, sdk: await countedSdk(), page, timeout }
    const removePlanted = await plant(plants, environment)
    try {
      return [
        ...(await engineLeaks(engines, environment)),
        ...(await reconnectLeaks(reconnects, environment)),
        ...(await import('./components.js').then(({ componentLeaks }) => componentLeaks(components, environment))),
        ...(await leakedAfter('in the end', activeHandles, environment)),
      ]
    } finally {
      await removePlanted()
      await devnode.close()
    }
  })

async function plant(names: readonly PlantName[], environment: Environment): Promise<RemoveLeak> {
  const removals: RemoveLeak[] = []
  for (const name of names) removals.push(await PLANTS[name](environment))
  return async () => {
    for (const removePlanted of removals) await removePlanted()
  }
}
