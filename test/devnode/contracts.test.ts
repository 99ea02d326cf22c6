import { describe, expect, it, onTestFinished } from 'vitest'
import { formatRefusal } from '../../src/devnode/ledger/mempool/refusals.js'
import type { RefusedScript } from '../../src/devnode/ledger/ledger.js'
import { createMemoryDevnode, type MemoryDevnodeOptions } from '../../src/devnode/memory/create-memory-devnode.js'
import { createChainEngine } from '../../src/engine/engine.js'
import { defineContract } from '../../src/model/contracts/contract.js'
import type { Outpoint } from '../../src/model/utxo.js'
import { createTransaction, type Transaction } from '../../src/model/transaction.js'
import { transactionId } from '../../src/model/transaction-id.js'
import { light } from '../../src/sdk/light/light.js'
import { counter } from '../fixtures/contracts/modules/counter.js'

const Counter = defineContract(counter)
const KAS = 100_000_000n
/** The fee of a call comes out of the contract's own amount, which the counter does not check. */
const FEE = 1_000_000n

/** A network in memory with a counter at 7, and an engine that submits to it. */
async function counterOn(options: MemoryDevnodeOptions = {}) {
  const devnode = createMemoryDevnode({ blockInterval: 0, accounts: 1, ...options })
  const engine = createChainEngine({ ...devnode.engineOptions, sdk: light })
  onTestFinished(async () => {
    await engine.dispose()
    await devnode.close()
  })
  await engine.connection.connect()
  const { genesis, covenantId } = await devnode.contracts.deploy(Counter, { count: 7n })
  const instance = devnode.contracts.instance(Counter, genesis)
  const submit = (transaction: Transaction) => engine.rpc.submitTransaction(transaction)
  return { devnode, covenantId, instance, submit }
}

interface Call {
  readonly covenantId: string
  readonly outpoint: Outpoint
  readonly value: bigint
  readonly count: bigint
  readonly step: bigint
}

/** The call that adds `step` to a count. */
const increment = ({ covenantId, outpoint, value, count, step }: Call): Transaction =>
  createTransaction({
    version: 1,
    inputs: [
      {
        previousOutpoint: outpoint,
        signatureScript: Counter.signatureScript({ count }, 'increment', { step }),
        sequence: 0n,
        sigOpCount: 0,
        computeBudget: 0,
      },
    ],
    outputs: [
      {
        value: value - FEE,
        scriptPublicKey: Counter.scriptPublicKey({ count: count + step }),
        covenant: { authorizingInput: 0, covenantId },
      },
    ],
  })

describe('a devnode', () => {
  it('deploys a contract, executes calls, and reads the state', async () => {
    const { devnode, covenantId, instance, submit } = await counterOn()
    expect(instance.covenantId).toBe(covenantId)
    expect(instance.state).toEqual({ count: 7n })
    const [{ outpoint } = { outpoint: undefined }] = instance.outputs
    const first = increment({ covenantId, outpoint: outpoint!, value: KAS, count: 7n, step: 3n })
    await submit(first)
    // a call on the unconfirmed output of the first
    const chained = { transactionId: transactionId(first), index: 0 }
    await submit(increment({ covenantId, outpoint: chained, value: KAS - FEE, count: 10n, step: 5n }))
    await devnode.mine(2)
    expect(instance.state).toEqual({ count: 15n })
    expect(instance.outputs).toMatchObject([{ value: KAS - 2n * FEE }])
  })

  it('refuses a call with the text of the node, and explains it', async () => {
    const refusals: RefusedScript[] = []
    const { devnode, covenantId, instance, submit } = await counterOn({
      onRefused: (refused) => void refusals.push(refused),
    })
    const { outpoint } = instance.outputs[0]!
    const call = increment({ covenantId, outpoint, value: KAS, count: 7n, step: 6n })
    await expect(submit(call)).rejects.toMatchObject({
      details: expect.stringContaining('failed to verify the signature script: script ran, but verification failed'),
    })
    const refused = devnode.explain(transactionId(call))
    expect(refused).toMatchObject({ input: 0, script: 'redeem', position: 39, opcode: 0x69, units: 282 })
    expect(refused?.stack.at(-1)).toBe('')
    expect(refusals).toEqual([refused])
    expect(formatRefusal(refused!).split('\n').slice(0, 2)).toEqual([
      `Script of input 0 of ${transactionId(call)} refused: script ran, but verification failed`,
      '  redeem script, at byte 39, opcode 0x69, after 282 script units',
    ])
    expect(devnode.explain('00'.repeat(32))).toBeUndefined()
  })

  it('reverts a call by a reorg in which another one wins', async () => {
    const { devnode, covenantId, instance, submit } = await counterOn()
    const { outpoint } = instance.outputs[0]!
    const fork = await devnode.fork()
    onTestFinished(() => fork.close())
    await submit(increment({ covenantId, outpoint, value: KAS, count: 7n, step: 1n }))
    await devnode.mine(2)
    expect(instance.state).toEqual({ count: 8n })

    const other = createChainEngine({ ...fork.engineOptions, sdk: light })
    onTestFinished(() => other.dispose())
    await other.connection.connect()
    await other.rpc.submitTransaction(increment({ covenantId, outpoint, value: KAS, count: 7n, step: 4n }))
    await fork.mine(5)
    await devnode.sync(fork)
    await devnode.mine()
    expect(instance.state).toEqual({ count: 11n })
    expect(instance.outputs).toHaveLength(1)
  })
})
