import { indexedUtxos } from '../../contract/node/support/indexed-utxos.js'
import { newAccount } from '../../contract/node/support/payment.js'
import { PREFIX, startKaspad } from '../../real-node/kaspad.js'
import { compare, type Comparison } from './compare.js'
import { judgeByNode } from './node-judge.js'

/** Cases whose outputs one transaction creates. */
const BATCH = 100
const UTXOS = 1_000
const AMOUNT = 10_000_000_000_000n
/** Time locks of the cases are below the score and the median time of such a chain. */
const BLOCKS = 20

/** Compares cases with a node of its own, the program `KASPAD` of the environment. */
export async function compareWithKaspad(count: number, seed: number): Promise<Comparison> {
  const account = newAccount(PREFIX)
  const miner = newAccount(PREFIX).address
  const node = await startKaspad({ preallocated: { count: UTXOS, address: account.address, amount: AMOUNT } })
  try {
    await node.mine(BLOCKS, miner)
    const funds = [...(await indexedUtxos(node.client(), [account.address], UTXOS))]
    const mine = (blocks: number): Promise<void> => node.mine(blocks, miner)
    return await compare(judgeByNode({ client: node.client(), mine, account, funds }), BATCH, { count, seed })
  } finally {
    await node.close()
  }
}
