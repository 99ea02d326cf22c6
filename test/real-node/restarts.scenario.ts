import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../../src/devnode/machine.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { ChainError } from '../../src/errors/chain-error.js'
import { outcomeOf } from '../../src/errors/with-outcome.js'
import { light } from '../../src/light/index.js'
import type { SerializedTransaction } from '../../src/model/serialized-transaction.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import type { UtxoState } from '../../src/streams/utxos/view/state.js'
import { newAccount } from '../contract/node/support/payment.js'
import { applyBatch, balanceOf, NO_ROWS, type Rows } from '../engine/transfers/shop.js'
import { PREFIX, startKaspad, type Kaspad } from './kaspad.js'

const KAS = 100_000_000n
/** More than the maturity of coinbase outputs. */
const HISTORY = 1_300

const [alice, bob, miner] = [newAccount(PREFIX), newAccount(PREFIX), newAccount(PREFIX)]
const watched = [alice.address, bob.address]
const random = createRandom(3)
const whole = (end: number): number => Math.floor(random() * end)

let node: Kaspad
let other: Kaspad
let program: ChainEngine

beforeAll(async () => {
  node = await startKaspad()
  await node.mine(HISTORY, alice.address)
  await node.mine(5, miner.address)
  await node.stop()
  other = await startKaspad({ copyOf: node.folder })
  await node.start()
  program = createChainEngine({
    network: 'simnet',
    url: node.url,
    sdk: light,
    reconnect: { maxRetries: Infinity, baseDelay: 50, maxDelay: 500 },
  })
  await program.wasm.init()
  await program.connection.connect()
})

afterAll(async () => {
  await program.dispose()
  await Promise.all([node.close(), other.close()])
})

const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n)

const texts = (amounts: readonly bigint[]): readonly string[] => amounts.map(String).sort()

const pause = (ms: number): Promise<void> => new Promise((wait) => setTimeout(wait, ms))

/** A template is cached for a second: the second one has the payments. */
async function include(): Promise<void> {
  await pause(1_100)
  await node.mine(3, miner.address)
}

async function restart(how: 'stop' | 'kill'): Promise<void> {
  await node[how]()
  await pause(whole(300))
  await node.start()
  await node.mine(1, miner.address) // its newest block must not be old
}

describe('payments while their node restarts', () => {
  it('settle, and each one is on the chain once', async () => {
    const stored = new Map<bigint, SerializedTransaction>()
    const settled = new Map<bigint, unknown>()
    let state: UtxoState | undefined
    const following = program.utxos(watched).state$.subscribe((next) => (state = next))
    await expect.poll(() => state?.freshness).toBe('fresh')

    const send = (n: bigint): Promise<void> => {
      const amount = 2n * KAS + n
      const sent = program.transactions.send(
        {
          entries: state?.matureEntries.filter(({ address }) => address === alice.address) ?? [],
          outputs: [{ address: bob.address, amount }],
          changeAddress: alice.address,
          privateKeys: [alice.privateKey],
        },
        { onSigned: ([payment]) => void stored.set(amount, payment!) },
      )
      return sent.then(
        ({ transactionIds }) => void settled.set(amount, transactionIds[0]),
        (error: unknown) => void settled.set(amount, error),
      )
    }
    const sends: Promise<void>[] = []
    for (let n = 0; n < 60; n++) {
      sends.push(send(BigInt(n)))
      await pause(whole(120))
      if (n % 12 === 5) await restart(n % 24 === 5 ? 'kill' : 'stop')
      if (n % 9 === 4) await node.mine(2, miner.address)
    }
    await Promise.all(sends)
    expect(settled.size).toBe(60)
    const failures = [...settled.values()].filter((result) => typeof result !== 'string')
    expect(failures.filter((failure) => !(failure instanceof ChainError))).toEqual([])

    // the node forgets its mempool when it restarts: what it may have had is sent again
    await include()
    const lost: unknown[] = []
    for (const [amount, payment] of stored) {
      const result = settled.get(amount)
      if (typeof result !== 'string' && outcomeOf(result) !== 'unknown') continue
      await (await program.transactions.restore(payment)).submit().catch((error: unknown) => lost.push(error))
    }
    await include()
    await include()
    expect(lost).toEqual([])
    const expected = [...settled].filter(([, result]) => typeof result === 'string' || outcomeOf(result) === 'unknown')
    const amounts = texts(expected.map(([amount]) => amount))
    const ofBob = (entries: readonly UtxoEntry[]): readonly string[] =>
      texts(entries.filter(({ address }) => address === bob.address).map(({ amount }) => amount))
    await expect.poll(async () => ofBob(await program.rpc.getUtxosByAddresses(watched))).toEqual(amounts)
    await expect.poll(() => ofBob(state?.entries ?? [])).toEqual(amounts)
    following.unsubscribe()
  })
})

describe('transfers that are followed without a pause', () => {
  it('are right after reorgs and restarts', async () => {
    let rows: Rows = NO_ROWS
    let rollbacks = 0
    const batches = program.followTransfers({ addresses: watched })
    const consumer = (async () => {
      for await (const batch of batches) {
        rows = applyBatch(rows, batch)
        if (batch.rollback !== null) rollbacks++
      }
    })()
    for (const depth of [3, 12, 25]) {
      await other.syncWith(node)
      await node[depth === 12 ? 'kill' : 'stop']() // the nodes lose each other
      await node.start()
      await program.connection.connect()
      await program.transactions.send({
        entries: (await program.rpc.getUtxosByAddresses([alice.address])).slice(0, 100),
        outputs: [{ address: bob.address, amount: BigInt(depth) * KAS }],
        changeAddress: alice.address,
        privateKeys: [alice.privateKey],
      })
      await include()
      await node.mine(depth, miner.address)
      await other.mine(depth + 10, miner.address)
      await other.syncWith(node)
      await node.mine(2, miner.address)
    }
    await include()
    await node.mine(20, miner.address)
    const atNode = async (address: string): Promise<bigint> =>
      sumOf((await program.rpc.getUtxosByAddresses([address])).map(({ amount }) => amount))
    for (const address of watched) {
      await expect.poll(async () => balanceOf(rows, address) - (await atNode(address))).toBe(0n)
    }
    expect(rollbacks).toBeGreaterThan(0)
    await batches.return?.()
    await consumer
  })
})
