import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { MAX_SOMPI } from '../../src/model/amount.js'
import { encodeCursor } from '../../src/model/chain-cursor/encode-cursor.js'
import { locatorAt } from '../../src/model/chain-cursor/locator.js'
import type { TransferBatch } from '../../src/streams/transfers/transfer.js'
import { transferKey } from '../../src/streams/transfers/transfer.js'
import { ALICE, BOB } from '../streams/utxos/utxo-fixtures.js'
import {
  WORK,
  chainOf,
  chainResponders,
  hashOf,
  paymentRecord,
  withLastBlock,
  type ChainPage,
  type ChainRecord,
} from './hostile-chain.js'
import { ENCODINGS, startWireNode, type WireNode } from '../wire-node.js'

const MAX_U64 = 2n ** 64n - 1n

const header = (more: Partial<ChainRecord['chainBlockHeader']>) => (block: ChainRecord) => ({
  ...block,
  chainBlockHeader: { ...block.chainBlockHeader, ...more },
})
const paying =
  (...amounts: readonly bigint[]) =>
  (block: ChainRecord) => ({
    ...block,
    acceptedTransactions: amounts.map((amount, at) => paymentRecord(`lie ${String(at)}`, ALICE, amount)),
  })
const spendingIndex = (index: number) => (block: ChainRecord) => {
  const lie = paymentRecord('lie', ALICE, 5n)
  const inputs = lie.inputs.map((input) => ({
    ...input,
    previousOutpoint: { transactionId: hashOf('spent by the lie'), index },
  }))
  return { ...block, acceptedTransactions: [{ ...lie, inputs }] }
}
const payingTogether = (amounts: readonly bigint[]) => (block: ChainRecord) => {
  const [output] = paymentRecord('lie', ALICE, 1n).outputs
  const lie = {
    ...paymentRecord('lie', ALICE, MAX_SOMPI - 7n),
    outputs: amounts.map((value) => ({ ...output!, value })),
  }
  return { ...block, acceptedTransactions: [lie] }
}

/** What a lying node does to the last block of each page, by the row of the audit. */
const LIES: readonly (readonly [string, (block: ChainRecord) => ChainRecord])[] = [
  ['F1 an output of 2^64−1', paying(MAX_U64)],
  ['F1 outputs that exceed the supply together', payingTogether([MAX_SOMPI - 7n, 100n])],
  ['F1 1000 outputs of 2^63', payingTogether(Array.from({ length: 1_000 }, () => 2n ** 63n))],
  ['F1 outputs that exceed the inputs', payingTogether([MAX_SOMPI - 7n, 7n, 7n])],
  ['F1 an input that spends output 2^31', spendingIndex(2 ** 31)],
  ['F1 a blue score of 2^64−1', header({ blueScore: MAX_U64 })],
  ['F1 a blue score that does not rise', header({ blueScore: 9n })],
  ['F1 a blue score beyond the mergeset', header({ blueScore: 9n + 249n })],
  ['F1 a DAA score of 2^64−1', header({ daaScore: MAX_U64 })],
  ['F1 a time of 2^64−1', header({ timestamp: MAX_U64 })],
  ['F1 a time that no date has', header({ timestamp: 2n ** 62n })],
  ['F2 a maximal blue work', header({ blueWork: 'f'.repeat(48) })],
  ['F2 five times the work of a block', header({ blueWork: (WORK * (10n + 5n)).toString(16).padStart(48, '0') })],
  ['F3 a credit of 0', paying(0n)],
  [
    'F3 a transaction twice in a block',
    (block) => ({
      ...block,
      acceptedTransactions: [paymentRecord('lie', ALICE, 5n), paymentRecord('lie', ALICE, 5n)],
    }),
  ],
  [
    'F3 a transaction of another block again',
    (block) => ({
      ...block,
      acceptedTransactions: [paymentRecord('0 of 5', ALICE, 100n)],
    }),
  ],
]

describe.each(ENCODINGS)('a node that lies about its chain, %s', (encoding) => {
  const chain = chainOf(10, { 5: [[ALICE, 100n]], 10: [[ALICE, 200n]] })
  const [start] = chain
  let liar: WireNode
  let honest: WireNode
  let engine: ChainEngine

  beforeEach(async () => {
    liar = await startWireNode(encoding)
    honest = await startWireNode(
      encoding,
      chainResponders(() => chain),
    )
    engine = createChainEngine({
      network: 'simnet',
      encoding,
      resolver: false,
      urls: [liar.url('127.0.0.1'), honest.url('localhost')],
      reconnect: { baseDelay: 1, maxRetries: 30 },
    })
  })
  afterEach(async () => {
    await engine.dispose()
    await liar.close()
    await honest.close()
  })

  async function follow(corrupt: (page: ChainPage) => ChainPage): Promise<TransferBatch[]> {
    liar.respond(chainResponders(() => chain, corrupt))
    const { hash, blueScore } = start!
    const cursor = encodeCursor(locatorAt({ hash, blueScore, blueWork: WORK.toString(16) }), 'simnet')
    const batches: TransferBatch[] = []
    for await (const batch of engine.followTransfers({ addresses: [ALICE, BOB], cursor })) {
      batches.push(batch)
      if (batch.isLive) break
    }
    return batches
  }
  const keysOf = (batches: readonly TransferBatch[]): readonly string[] =>
    batches.flatMap(({ transactions }) =>
      transactions.flatMap(({ transfers }) => transfers.map((one) => `${transferKey(one)} ${String(one.amount)}`)),
    )

  it.each(LIES)('%s: nothing of the page is delivered, and another endpoint is followed', async (_, lie) => {
    const truthful = [...(await follow((page) => page))]
    await engine.connection.reconnect()
    const batches = await follow((page) => withLastBlock(page, lie))
    expect(keysOf(batches)).toEqual(keysOf(truthful))
    expect(honest.callCount('getVirtualChainFromBlockV2')).toBeGreaterThan(0)
    expect(batches.every(({ rollback }) => rollback === null)).toBe(true)
  })

  it('F3 an address that is not that of the script: the script decides', async () => {
    const batches = await follow((page) =>
      withLastBlock(page, (block) => ({
        ...block,
        acceptedTransactions: block.acceptedTransactions.map((one) => ({
          ...one,
          outputs: one.outputs.map((output) => ({
            ...output,
            verboseData: { scriptPublicKeyType: 'PubKey' as const, scriptPublicKeyAddress: BOB },
          })),
        })),
      })),
    )
    const credits = batches.flatMap(({ transactions }) => transactions.flatMap(({ transfers }) => transfers))
    expect(credits.filter(({ direction }) => direction === 'credit').map(({ address }) => address)).toEqual([
      ALICE,
      ALICE,
    ])
  })
})
