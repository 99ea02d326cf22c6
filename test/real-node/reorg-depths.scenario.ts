import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRandom } from '../../src/devnode/machine.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import type { RpcRawBlock } from '../../src/node/messages/records.js'
import { newAccount } from '../contract/node/support/payment.js'
import { PREFIX, startKaspad, type Kaspad } from './kaspad.js'

/** Blocks of a round, at most, and the rounds after which a block reaches the node, at most. */
const PARALLEL = 3
const DELAY = 3
const ROUNDS = 2_000

const miners = Array.from({ length: PARALLEL }, () => newAccount(PREFIX).address)

let node: Kaspad
let program: ChainEngine

beforeAll(async () => {
  node = await startKaspad()
  await node.mine(20, miners[0]!)
  program = createChainEngine({ network: 'simnet', url: node.url, heartbeat: false })
  await program.connection.connect()
})

afterAll(async () => {
  await program.dispose()
  await node.close()
})

const random = createRandom(7)
const whole = (end: number): number => Math.floor(random() * end)

/** Blocks that were mined and have not reached the node yet, by the round in which they do. */
const travelling = new Map<number, RpcRawBlock[]>()

/** Mines blocks that know what the node knows, and delivers those that are due. */
async function playRound(round: number): Promise<number> {
  const count = 1 + whole(PARALLEL)
  for (const payAddress of miners.slice(0, count)) {
    const { block } = await node.client().call('getBlockTemplate', { payAddress, extraData: '' })
    const due = round + whole(DELAY + 1)
    travelling.set(due, [...(travelling.get(due) ?? []), block])
  }
  for (const block of travelling.get(round) ?? [])
    await node.client().call('submitBlock', { block, allowNonDaaBlocks: true })
  travelling.delete(round)
  return count
}

/** Prints how many chain blocks each rollback removed, by `virtual-chain-changed`. */
it('are one block deep in most cases, and a few blocks where blocks travel slowly', async () => {
  const depths = new Map<number, number>()
  const events = program.events$('virtual-chain-changed').subscribe(({ data }) => {
    const depth = data.removedChainBlockHashes.length
    if (depth > 0) depths.set(depth, (depths.get(depth) ?? 0) + 1)
  })
  let blocks = 0
  for (let round = 0; round < ROUNDS; round++) blocks += await playRound(round)
  await node.mine(3, miners[0]!)
  console.log(`${blocks} blocks in ${ROUNDS} rounds; rollbacks by depth: ${JSON.stringify([...depths])}`)
  expect(depths.get(1)).toBeGreaterThan(0)
  expect(Math.max(...depths.keys())).toBeLessThan(10)
  events.unsubscribe()
})
