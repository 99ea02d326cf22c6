import { clearInterval, setInterval } from 'node:timers'

/** Blocks side by side, step after step: a DAG and not a chain, the same each time. */
const WIDTHS = [1, 2, 1, 1, 3, 1, 2, 1]

/**
 * The demo's network: a devnode on free ports, and a miner that lays blocks side by side.
 *
 * @param {typeof import('vue-chain/devnode').createDevnode} createDevnode of the sources or of the built library
 * @param {{ host?: string, seed?: number, blockInterval?: number }} options `blockInterval`: ms from one step to the next
 *   (1000); 0 mines when asked only
 */
export async function startNetwork(createDevnode, { host, seed, blockInterval = 1000 } = {}) {
  const devnode = await createDevnode({ host, seed, blockInterval: 0 })
  let step = 0
  const mine = () => devnode.mine(1, { parallel: WIDTHS[step++ % WIDTHS.length] })
  const miner = blockInterval > 0 ? setInterval(mine, blockInterval) : undefined
  return {
    devnode,
    async stop() {
      clearInterval(miner)
      await devnode.close()
    },
  }
}
