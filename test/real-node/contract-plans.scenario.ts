import { filter, firstValueFrom } from 'rxjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createContracts, type ContractInstance } from '../../src/contracts/index.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { toHex } from '../../src/model/hex.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import { light } from '../../src/sdk/light/light.js'
import { Counter } from '../contract-calls/counter-rows.js'
import { ALICE } from '../contract-calls/transaction.js'
import { indexedUtxos } from '../contract/node/support/indexed-utxos.js'
import { newAccount } from '../contract/node/support/payment.js'
import type { counter } from '../fixtures/contracts/modules/counter.js'
import { PREFIX, startKaspad, type Kaspad } from './kaspad.js'

/** Plans of contracts, and instances that follow the chain, on a real node. */

const UTXOS = 20
const KAS = 100_000_000n
const keys = { privateKeys: [toHex(ALICE.key)] }

/** A template is kept for a second. */
const untilNextTemplate = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_100))

describe('contracts on kaspad', () => {
  let node: Kaspad
  let engine: ChainEngine
  let funds: UtxoEntry[]
  let instance: ContractInstance<typeof counter, 'Counter'>

  const funding = () => ({ entries: funds.splice(0, 1), changeAddress: ALICE.address })
  const mine = async (count: number): Promise<void> => {
    await untilNextTemplate()
    await node.mine(count, newAccount(PREFIX).address)
  }
  const until = (count: bigint) => firstValueFrom(instance.state$.pipe(filter((state) => state?.count === count)))

  beforeAll(async () => {
    node = await startKaspad({ preallocated: { count: UTXOS, address: ALICE.address, amount: 50n * KAS } })
    funds = [...(await indexedUtxos(node.client(), [ALICE.address], UTXOS))]
    engine = createChainEngine({ network: 'simnet', url: node.url, heartbeat: false, sdk: light })
    await engine.connection.connect()
    await engine.wasm.init()
  })
  afterAll(async () => {
    await engine.dispose()
    await node.close()
  })

  it('are deployed, called at the exact budget and the least fee, and followed', async () => {
    const contracts = createContracts({ engine })
    const plan = await contracts.deploy(Counter, { count: 7n }, funding())
    await plan.send(keys)
    await mine(3)
    instance = contracts.instance(Counter, plan.genesis)
    const call = await contracts.transaction([instance.call.increment({ step: 3n })], funding())
    await call.send(keys)
    await mine(3)
    await until(10n)
    const elsewhere = createContracts({ engine })
    const snapshot = instance.outputs.map(({ outpoint, value, state }) => ({ outpoint, value, state: state! }))
    const there = elsewhere.instance(Counter, instance.genesis, { snapshot })
    await firstValueFrom(there.view$.pipe(filter(({ isLive }) => isLive)))
    const followed = until(12n)
    await (await elsewhere.transaction([there.call.increment({ step: 2n })], funding())).send(keys)
    await mine(3)
    await followed // by execution
  })

  it('show what moved them, in the mempool and on the chain', async () => {
    const contracts = createContracts({ engine })
    const plan = await contracts.deploy(Counter, { count: 1n }, funding())
    await plan.send(keys)
    await mine(3)
    const [own, other] = [contracts, createContracts({ engine })].map((one) => one.instance(Counter, plan.genesis))
    const [first, late, later] = await Promise.all([
      contracts.transaction([other!.call.increment({ step: 1n })], funding()),
      contracts.transaction([own!.call.increment({ step: 2n })], funding()),
      contracts.transaction([own!.call.increment({ step: 3n })], funding()),
    ])
    const { transactionIds } = await first.send(keys)
    const moved = { code: 'contract-moved', spentBy: transactionIds[0], outcome: 'unknown' }
    await expect(late.send(keys)).rejects.toMatchObject(moved)
    await mine(3)
    await expect(later.send(keys)).rejects.toMatchObject(moved)
  })
})
