import { readText, readTexts, readCount } from '../../devnode/control/route.js'
import type { ChainEngine } from '../../engine/engine.js'
import { ChainError } from '../../errors/chain-error.js'
import { formatDiagnosis } from '../doctor.js'
import type { Chain } from './chain.js'
import {
  ADDRESSES,
  HASH,
  ON,
  type Tool,
  type ToolArguments,
  type ToolContext,
  type Tools,
  escapeUntrusted,
  separateUntrusted,
  ADDRESS,
  HASHES,
  count,
} from './tool.js'
import { FAULT_KINDS } from '../../devnode/faults/kinds.js'
import { kaspaToSompi } from '../../model/amount.js'

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

/** A tool that is a route of the control interface, with the arguments as its body. */
const route = (
  about: string,
  [method, path]: readonly ['GET' | 'POST' | 'DELETE', string],
  schema: Tool['schema'] = {},
  required: readonly string[] = [],
): Tool => ({
  about,
  changesDevnode: method !== 'GET',
  schema,
  required,
  run: async (args, { devnode }) => ({ result: await devnode.control(method, path, args) }),
})

/** Start and control a simulated network in this process. The keys of its accounts are returned by no tool. */
export const devnodeTools: Tools = {
  devnode_start: {
    about: 'Starts a simulated Kaspa network in this process, on free ports of 127.0.0.1, with funded accounts.',
    changesDevnode: true,
    schema: {
      accounts: count(100, 'number of funded accounts; default 10'),
      balance: { type: 'string', pattern: '^\\d{1,9}(\\.\\d{1,8})?$', description: 'of each, in KAS; default 1000' },
      blockInterval: count(60_000, 'ms between blocks; 0, the default, mines on demand'),
      seed: count(2 ** 31 - 1, 'of everything random; default 0'),
    },
    run: async (args, context) => {
      await context.devnode.start({
        accounts: readCount(args, 'accounts', 10),
        balance: kaspaToSompi(readText(args, 'balance', undefined) ?? '1000'),
        blockInterval: readCount(args, 'blockInterval', 0),
        seed: readCount(args, 'seed', 0),
      })
      return { result: await statusOf(context) }
    },
  },
  devnode_stop: {
    about: 'Ends the devnode of this process.',
    changesDevnode: true,
    schema: {},
    run: async (_, { devnode }) => {
      devnode.running()
      await devnode.stop()
      return { result: {} }
    },
  },
  devnode_status: {
    about: 'URLs, scores, connections and the addresses of the funded accounts of the devnode.',
    schema: {},
    run: async (_, context) => ({ result: await statusOf(context) }),
  },
  devnode_mine: route('Mines blocks, with the transactions of the mempool.', ['POST', '/mine'], {
    blocks: count(2_000, 'default 1'),
    parallel: count(10, 'blocks side by side in each step; default 1'),
    address: ADDRESS,
  }),
  devnode_fund: route(
    'Pays an address from the faucet of the devnode.',
    ['POST', '/fund'],
    {
      address: ADDRESS,
      amount: { type: 'string', pattern: '^[1-9]\\d{0,18}$', description: 'sompi' },
      coinbase: { type: 'boolean', description: 'as a coinbase output, which is immature at first' },
    },
    ['address', 'amount'],
  ),
  devnode_reorg: route(
    'Replaces the newest chain blocks: a reorg.',
    ['POST', '/reorg'],
    { depth: count(1_000), drop: HASHES, doubleSpend: HASHES },
    ['depth'],
  ),
  devnode_faults: route('Lists the kinds of faults with their settings, and the active faults.', ['GET', '/faults']),
  devnode_fault: {
    about: 'Begins a fault: drop, delay, dropReply, stall …; devnode_faults lists kinds and settings.',
    changesDevnode: true,
    schema: {
      kind: { enum: Object.keys(FAULT_KINDS) },
      settings: { type: 'object', description: 'of this kind, with "for" (ms) and "times"' },
    },
    required: ['kind'],
    run: async ({ settings, ...args }, { devnode }) => ({
      result: await devnode.control('POST', `/faults/${readText(args, 'kind')}`, toObject(settings)),
    }),
  },
  devnode_end_faults: route('Ends every fault.', ['DELETE', '/faults']),
  devnode_explain: {
    about: 'Where the script of a transaction failed that the devnode refused; null for any other.',
    schema: { transactionId: HASH },
    required: ['transactionId'],
    run: async (args, { devnode }) => ({
      result: await devnode.control('GET', `/explain/${readText(args, 'transactionId')}`),
    }),
  },
}

const toObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {})

async function statusOf({ devnode }: ToolContext) {
  const { accounts } = devnode.running()
  return { status: await devnode.control('GET', '/status'), accounts: accounts.map(({ address }) => address) }
}
