import { afterAll, beforeAll, expect, it } from 'vitest'
import type { UtxoEntry } from '../../src/model/utxo.js'
import { toOutpointKey } from '../../src/model/utxo.js'
import { ALICE, ROWS, type ReplyingNode, type Harness } from '../submission-replies/rows.js'
import { replyOf, utxosOf } from '../submission-replies/calls.js'
import { newAccount } from '../contract/node/support/payment.js'
import { PREFIX, startKaspad, type Kaspad } from './kaspad.js'

/** Coinbase outputs are mature after 1,000 blocks. */
const MATURITY = 1_000
/** One and more for each row. */
const UTXOS = 100

const miner = newAccount(PREFIX)
const used = new Set<string>()
const others: Kaspad[] = []
let node: Kaspad

beforeAll(async () => {
  node = await startKaspad()
  await node.mine(UTXOS, ALICE.address)
  await node.mine(MATURITY + 20, miner.address)
})
afterAll(async () => {
  await Promise.all([node, ...others].map((one) => one.close()))
})

/** A template is kept for a second. */
const untilNextTemplate = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_100))

const toNode = (kaspad: Kaspad): ReplyingNode => ({
  submit: (transaction, how) => replyOf(kaspad.client(), transaction, how),
  mine: async (count) => {
    await untilNextTemplate()
    await kaspad.mine(count, miner.address)
  },
  mineBeside: async (steps) => {
    const blocks = []
    for (const step of steps) {
      await step()
      await untilNextTemplate()
      const request = { payAddress: newAccount(PREFIX).address, extraData: '' }
      blocks.push((await kaspad.client().call('getBlockTemplate', request)).block)
    }
    for (const block of blocks) await kaspad.client().call('submitBlock', { block, allowNonDaaBlocks: true })
  },
  restart: async () => {
    await kaspad.stop()
    await kaspad.start()
  },
  pass: (seconds) => new Promise((resolve) => setTimeout(resolve, 1_000 * seconds)),
  hasUtxo: async ({ transactionId }, address) =>
    (await utxosOf(kaspad.client(), address)).some(({ outpoint }) => outpoint.transactionId === transactionId),
})

/** Runs `during` once a node has headers whose blocks it lacks; rejects where it is joined before. */
async function inIbd(kaspad: Kaspad, joined: Promise<void>, during: () => Promise<unknown>): Promise<void> {
  const state = { isJoined: false }
  void joined.finally(() => (state.isJoined = true)).catch(() => undefined) // the caller awaits it
  while (!state.isJoined) {
    const { headerCount, blockCount } = await kaspad.client().call('getBlockDagInfo', {})
    if (headerCount > blockCount) return void (await during())
  }
  throw new Error('No IBD was seen')
}

async function take(isWanted: (entry: UtxoEntry, daaScore: bigint) => boolean): Promise<UtxoEntry> {
  const { virtualDaaScore } = await node.client().call('getServerInfo', {})
  const entries = await utxosOf(node.client(), ALICE.address)
  const found = entries.find((entry) => !used.has(toOutpointKey(entry.outpoint)) && isWanted(entry, virtualDaaScore))
  if (found === undefined) throw new Error('No UTXO is left')
  used.add(toOutpointKey(found.outpoint))
  return found
}

it.each(ROWS)('$situation: $reply', async ({ reply, play }) => {
  let other: Kaspad | undefined
  const harness: Harness = {
    node: toNode(node),
    other: async () => {
      await node.stop()
      other = await startKaspad({ copyOf: node.folder })
      others.push(other)
      await node.start()
      return toNode(other)
    },
    join: async (_, during) => {
      const joined = node.syncWith(other!)
      if (during !== undefined) await inIbd(other!, joined, during)
      await joined
    },
    utxo: () => take(({ isCoinbase, blockDaaScore }, score) => isCoinbase && blockDaaScore + BigInt(MATURITY) < score),
    immature: async () => {
      await node.mine(3, ALICE.address)
      return take(({ isCoinbase, blockDaaScore }, score) => isCoinbase && blockDaaScore + 900n > score)
    },
  }
  try {
    expect(await play(harness)).toBe(reply)
  } finally {
    await other?.stop()
  }
})
