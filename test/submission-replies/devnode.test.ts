import { expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { createChainEngine } from '../../src/engine/engine.js'
import { transactionId } from '../../src/model/transaction-id.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { connect, type TestClient } from '../contract/node/support/client.js'
import { ALICE, MEMPOOL_FULL, ROWS, type ReplyingNode, type Harness } from './rows.js'
import { replyOf, utxosOf } from './calls.js'

const UTXOS = 3
const KAS = 100_000_000n

/**
 * A devnode with a client, which is opened again after a restart. `moveClock` ends the second for which a template is
 * kept.
 */
async function toNode(
  devnode: Devnode,
  moveClock: (seconds?: number) => void,
): Promise<ReplyingNode & { close(): Promise<void> }> {
  let client: TestClient = await connect(devnode.urls.borsh, createBorshCodec())
  const mine = async (count: number): Promise<void> => {
    moveClock()
    await devnode.mine(count)
  }
  return {
    submit: (transaction, how) => replyOf(client, transaction, how),
    mine,
    mineBeside: async (steps) => {
      const blocks = []
      for (const [at, step] of steps.entries()) {
        await step()
        moveClock()
        const request = { payAddress: ALICE.address, extraData: `0${at}` }
        blocks.push((await client.call('getBlockTemplate', request)).block)
      }
      for (const block of blocks) await client.call('submitBlock', { block, allowNonDaaBlocks: true })
    },
    restart: async () => {
      client.close()
      await devnode.restart()
      client = await connect(devnode.urls.borsh, createBorshCodec())
    },
    pass: (seconds) => {
      moveClock(seconds)
      return Promise.resolve()
    },
    hasUtxo: async ({ transactionId }, address) =>
      (await utxosOf(client, address)).some(({ outpoint }) => outpoint.transactionId === transactionId),
    close: async () => {
      client.close()
      await devnode.close()
    },
  }
}

it.each(ROWS)('$situation: $reply', async ({ reply, play }) => {
  let now = 1_800_000_000_000
  const moveClock = (seconds = 2): void => void (now += seconds * 1_000)
  const genesis = Array.from({ length: UTXOS }, () => ({ address: ALICE.address, amount: 1_000n * KAS }))
  const devnode = await createDevnode({ blockInterval: 0, accounts: 0, utxos: genesis, now: () => now })
  const node = await toNode(devnode, moveClock)
  const opened = [node]
  let second: Devnode | undefined
  const entries = (): readonly UtxoEntry[] =>
    devnode.expected.utxos().filter(({ address }) => address === ALICE.address)
  const harness: Harness = {
    node,
    other: async () => {
      second = await devnode.fork()
      const other = await toNode(second, moveClock)
      opened.push(other)
      await Promise.all([node.restart(), other.restart()])
      return other
    },
    join: async (how, during) => {
      if (second === undefined) throw new Error('There is no other node')
      for (const [to, from] of [
        [devnode, second],
        [second, devnode],
      ] as const) {
        if (how === 'ibd') await to.sync(from, { headersOnly: true })
        if (to === second) await during?.()
        await to.sync(from)
      }
    },
    utxo: () => Promise.resolve(entries()[0]!),
    immature: async () => {
      await devnode.fund(ALICE.address, 1_000n * KAS, { coinbase: true })
      return entries().find(({ isCoinbase }) => isCoinbase)!
    },
  }
  try {
    expect(await play(harness)).toBe(reply)
  } finally {
    await Promise.all(opened.map((one) => one.close()))
  }
})

it('the mempool is full: the reply of kaspad, after which the same transaction is taken', async () => {
  const devnode = await createDevnode({
    blockInterval: 0,
    accounts: 0,
    utxos: [{ address: ALICE.address, amount: 10n * KAS }],
  })
  const engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh })
  try {
    await engine.connection.connect()
    const payment = ALICE.pay(devnode.expected.utxos([ALICE.address]), [{ to: ALICE.address, amount: 9n * KAS }])
    const id = transactionId(payment)
    devnode.faults.failCall({ method: 'submitTransaction', message: `Rejected transaction ${id}: ${MEMPOOL_FULL}` })
    await expect(engine.rpc.submitTransaction(payment)).rejects.toMatchObject({
      code: 'remote',
      reason: 'fee-too-low',
      outcome: 'unknown',
      transactionId: id,
    })
    expect(await engine.rpc.submitTransaction(payment)).toBe(id)
  } finally {
    await engine.dispose()
    await devnode.close()
  }
})
