import { readText, readTexts } from '../../devnode/control/body.js'
import type { ChainEngine } from '../../engine/engine.js'
import { ChainError } from '../../errors/chain-error.js'
import { formatDiagnosis } from '../format-diagnosis.js'
import type { Chain } from './chain.js'
import { ADDRESSES, HASH, ON } from './schemas.js'
import type { Tool, ToolArguments, ToolContext, Tools } from './tool.js'
import { escapeUntrusted, separateUntrusted } from './untrusted.js'

const chainOf = ({ on }: ToolArguments, { chain, devnode }: ToolContext): Chain =>
  on === 'devnode' ? devnode.chain() : chain

/** A query of the connected node. Its response is the word of a remote party. */
const query = (
  about: string,
  schema: Tool['schema'],
  run: (engine: ChainEngine, args: ToolArguments) => Promise<unknown>,
): Tool => ({
  about,
  schema: { ...schema, on: ON },
  required: Object.keys(schema),
  run: async (args, context) => separateUntrusted(await run(await chainOf(args, context).connected(), args)),
})

/** Reads of a node and its indexer. None of them submits anything. */
export const chainTools: Tools = {
  chain_network: query('Network, version, sync state and DAG of the node.', {}, async ({ rpc }) => ({
    server: await rpc.getServerInfo(),
    dag: await rpc.getBlockDagInfo(),
  })),
  chain_balances: query('Balances of addresses in sompi, the mempool excluded.', { addresses: ADDRESSES }, (on, args) =>
    on.rpc.getBalancesByAddresses(readTexts(args, 'addresses')),
  ),
  chain_utxos: query('The UTXOs of addresses.', { addresses: ADDRESSES }, (on, args) =>
    on.rpc.getUtxosByAddresses(readTexts(args, 'addresses')),
  ),
  chain_mempool: query('Transactions in the mempool from and to addresses.', { addresses: ADDRESSES }, (on, args) =>
    on.rpc.getMempoolEntriesByAddresses(readTexts(args, 'addresses')),
  ),
  chain_fees: query('Feerates in sompi per gram, with the estimated seconds.', {}, ({ rpc }) => rpc.getFeeEstimate()),
  chain_block: query('A block: scores, time, ids of its transactions.', { hash: HASH }, (on, args) =>
    on.rpc.getBlock(readText(args, 'hash')),
  ),
  chain_transaction: query(
    'A transaction by its id, from the mempool or from the indexer: inputs, outputs, acceptance.',
    { transactionId: HASH },
    (on, args) => findTransaction(on, readText(args, 'transactionId')),
  ),
  doctor: {
    about: 'Checks node, indexer and what an app needs of them; of each check its status, with remedies.',
    schema: { on: ON },
    run: async (args, context) => {
      const report = await chainOf(args, context).engine().diagnose()
      const checks = report.checks.map(({ id, status }) => ({ id, status }))
      return { result: { ok: report.ok, checks }, untrusted: escapeUntrusted(formatDiagnosis(report)) }
    },
  },
}

async function findTransaction({ rpc, rest }: ChainEngine, transactionId: string): Promise<unknown> {
  try {
    return { state: 'mempool', mempool: await rpc.getMempoolEntry(transactionId) }
  } catch (error) {
    if (!(error instanceof ChainError) || error.code !== 'remote') throw error
    return { indexer: await rest.getTransaction(transactionId, { resolvePreviousOutpoints: 'light' }) }
  }
}
