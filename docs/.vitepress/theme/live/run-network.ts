import { createChainEngine, sompiToKaspa } from 'vue-chain/streams'
import type { ActionName } from '../network/action-labels.js'
import { ACTIONS } from '../network/actions.js'
import type { Dag } from '../network/dag/dag.js'
import { feedDag } from '../network/dag/feed.js'
import { startPageNetwork, type PageNetwork } from '../network/page-network.js'

/** A figure of the network, with its name. */
export interface Figure {
  readonly name: string
  readonly value: string
}

export interface RunningNetwork {
  act(action: ActionName): Promise<void>
  close(): void
}

const UNKNOWN = '–'

/** Before the network runs. */
export const NO_FIGURES: readonly Figure[] = [
  'DAA score',
  'Chain blocks',
  'In the mempool',
  'Your UTXOs',
  'Balance',
].map((name) => ({ name, value: UNKNOWN }))

/** Runs a network with a payer, and reports blocks and figures after each change. */
export async function runNetwork(report: (dag: Dag, figures: readonly Figure[]) => void): Promise<RunningNetwork> {
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
  const values = [
    String(expected.virtualDaaScore()),
    String(expected.chain().length),
    String(expected.mempool().length),
    String(own.length),
    `${sompiToKaspa(own.reduce((sum, { amount }) => sum + amount, 0n))} KAS`,
  ]
  return NO_FIGURES.map(({ name }, index) => ({ name, value: values[index] ?? UNKNOWN }))
}
