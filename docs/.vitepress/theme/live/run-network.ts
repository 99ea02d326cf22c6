import { createChainEngine, sompiToKaspa } from 'vue-chain/streams'
import { ACTIONS } from '../network/actions.js'
import type { Dag } from '../network/dag/dag.js'
import { feedDag } from '../network/dag/feed.js'
import { startPageNetwork, type PageNetwork } from '../network/page-network.js'
import type { Running } from '../network/use-running.js'
import { toFigures, type Figure } from './figures.js'

/** Runs a network with a payer, and reports blocks and figures after each change. */
export async function runNetwork(report: (dag: Dag, figures: readonly Figure[]) => void): Promise<Running> {
  const network = await startPageNetwork({ payments: 3 })
  const engine = createChainEngine(network.options)
  await engine.connection.connect()
  const end = feedDag(network.devnode, (dag) => report(dag, figuresOf(network)))
  return {
    act: async (action) => void (await ACTIONS[action]({ network, engine, setProps: () => undefined })),
    close() {
      end()
      void engine.dispose()
      network.close()
    },
  }
}

function figuresOf({ devnode: { expected }, props: { address } }: PageNetwork): readonly Figure[] {
  const own = expected.utxos([address])
  return toFigures([
    String(expected.virtualDaaScore()),
    String(expected.chain().length),
    String(expected.mempool().length),
    String(own.length),
    `${sompiToKaspa(own.reduce((sum, { amount }) => sum + amount, 0n))} KAS`,
  ])
}
