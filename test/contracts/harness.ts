import { createContracts, type ContractInstance, type Contracts } from '../../src/contracts/index.js'
import { createMemoryDevnode, type MemoryDevnode } from '../../src/devnode/memory/create-memory-devnode.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { toHex } from '../../src/model/hex.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import { light } from '../../src/sdk/light/light.js'
import { Counter } from '../contract-calls/counter-rows.js'
import type { counter } from '../fixtures/contracts/modules/counter.js'
import { ALICE } from '../contract-calls/transaction.js'

/** Contracts on a network in memory, funded and signed by `ALICE`. */
export interface ContractsHarness {
  readonly devnode: MemoryDevnode
  readonly engine: ChainEngine
  readonly contracts: Contracts
  /** What funds a plan: some UTXOs that no other plan gets. */
  readonly funding: (count?: number) => { readonly entries: readonly UtxoEntry[]; readonly changeAddress: string }
  readonly keys: { readonly privateKeys: readonly string[] }
  /** A second engine on the same node, as another process has it. */
  readonly open: () => Promise<ChainEngine>
  readonly close: () => Promise<void>
}

const KAS = 100_000_000n

export async function openContracts({ count = 60, amount = 50n * KAS } = {}): Promise<ContractsHarness> {
  const utxos = Array.from({ length: count }, () => ({ address: ALICE.address, amount }))
  const devnode = createMemoryDevnode({ blockInterval: 0, utxos })
  const engines: ChainEngine[] = []
  const open = async (): Promise<ChainEngine> => {
    const opened = createChainEngine({ ...devnode.engineOptions, sdk: light })
    engines.push(opened)
    await opened.connection.connect()
    await opened.wasm.init()
    return opened
  }
  const engine = await open()
  const funds = [...(await engine.rpc.getUtxosByAddresses([ALICE.address]))]
  return {
    devnode,
    engine,
    contracts: createContracts({ engine }),
    funding: (needed = 1) => ({ entries: funds.splice(0, needed), changeAddress: ALICE.address }),
    keys: { privateKeys: [toHex(ALICE.key)] },
    open,
    close: async () => {
      await Promise.all(engines.map((one) => one.dispose()))
      await devnode.close()
    },
  }
}

export type CounterInstance = ContractInstance<typeof counter, 'Counter'>

/** A counter on the chain. */
export async function deployCounter(
  { contracts, devnode, funding, keys }: ContractsHarness,
  count = 7n,
): Promise<CounterInstance> {
  const plan = await contracts.deploy(Counter, { count }, funding())
  await plan.send(keys)
  await devnode.mine(2)
  return contracts.instance(Counter, plan.genesis)
}

/** The id of a call that the chain has. */
export async function callCounter(
  { contracts, devnode, funding, keys }: ContractsHarness,
  instance: CounterInstance,
  step: bigint,
): Promise<string> {
  const plan = await contracts.transaction([instance.call.increment({ step })], funding())
  const { transactionIds } = await plan.send(keys)
  await devnode.mine(2)
  return transactionIds[0]!
}
