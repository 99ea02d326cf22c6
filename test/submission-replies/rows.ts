import { transactionId } from '../../src/model/transaction-id.js'
import type { Transaction } from '../../src/model/transaction.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import { FEE, utxoCreatedBy, walletOf } from '../devnode/ledger/wallet.js'

/** A node of simnet, devnode or kaspad. */
export interface ReplyingNode {
  /** Submits; `taken`, or the words of the node. */
  submit(transaction: Transaction, how?: 'plain' | 'replacement'): Promise<string>
  /** Mines blocks with what the mempool has. */
  mine(count: number): Promise<void>
  /** Mines a block for each step, all on the present tips; a step changes the mempool. */
  mineBeside(steps: readonly (() => Promise<unknown>)[]): Promise<void>
  restart(): Promise<void>
  /** Lets seconds pass. */
  pass(seconds: number): Promise<void>
  hasUtxo(outpoint: UtxoEntry['outpoint'], address: string): Promise<boolean>
}

/** What a row runs on. */
export interface Harness {
  readonly node: ReplyingNode
  /** Another node with the same blocks and an empty mempool; also the node has an empty mempool afterwards. */
  other(): Promise<ReplyingNode>
  /**
   * Connects the node to the other one: both have the heavier chain, by relayed blocks or, from far behind, by IBD.
   * `during` runs once while the other one is in IBD: it has headers whose blocks it lacks.
   */
  join(how: 'relay' | 'ibd', during?: () => Promise<unknown>): Promise<void>
  /** A UTXO of `ALICE` that no other row spends. */
  utxo(): Promise<UtxoEntry>
  /** An immature coinbase output of `ALICE`. */
  immature(): Promise<UtxoEntry>
}

export interface Row {
  readonly situation: string
  /** The last reply. `<id>`: the transaction; `<rival>`: another one; `<outpoint>`: the UTXO that both spend. */
  readonly reply: string
  readonly play: (harness: Harness) => Promise<string>
}

export const ALICE = walletOf(0x33)
export const BOB = walletOf(0x44)

const ACCEPTED = 'transaction <id> was already accepted by the consensus'
const ORPHAN = 'transaction <id> is an orphan where orphan is disallowed'
const IN_MEMPOOL = 'transaction <id> is already in the mempool'
const NO_TARGET = 'replace by fee found no double spending transaction in the mempool'

const pay = (utxo: UtxoEntry, to = BOB.address, fee = FEE): Transaction =>
  ALICE.pay([utxo], [{ to, amount: utxo.amount - fee }])

/** A payment to Bob and another one, at a higher fee, that spends the same UTXO. */
async function rivals({ utxo }: Harness): Promise<readonly [Transaction, Transaction]> {
  const spent = await utxo()
  return [pay(spent), pay(spent, ALICE.address, 5n * FEE)]
}

/** The reply without what differs between runs. */
function general(reply: string, transaction: Transaction, rival?: Transaction): string {
  const { transactionId: id, index } = transaction.inputs[0]!.previousOutpoint
  const named = reply
    .replace(`Rejected transaction ${transactionId(transaction)}: `, '')
    .replaceAll(transactionId(transaction), '<id>')
    .replaceAll(`(${id}, ${index})`, '<outpoint>')
  return rival === undefined ? named : named.replaceAll(transactionId(rival), '<rival>')
}

const after =
  (prepare: (harness: Harness, payment: Transaction) => Promise<unknown>) =>
  async (harness: Harness): Promise<string> => {
    const payment = pay(await harness.utxo())
    await prepare(harness, payment)
    return general(await harness.node.submit(payment), payment)
  }

/** Submits `payment` after `rival`. */
const afterRival =
  (prepare: (harness: Harness, payment: Transaction, rival: Transaction) => Promise<unknown>, how?: 'replacement') =>
  async (harness: Harness): Promise<string> => {
    const [payment, rival] = await rivals(harness)
    await prepare(harness, payment, rival)
    return general(await harness.node.submit(payment, how), payment, rival)
  }

const included = (depth: number) =>
  after(async ({ node }, payment) => {
    await node.submit(payment)
    await node.mine(depth)
  })

const spentBefore = (depth: number) =>
  afterRival(async ({ node }, _, rival) => {
    await node.submit(rival)
    await node.mine(depth)
  })

/** A node from an older folder, alone: it takes a payment whose input was spent meanwhile. */
async function playOlderFolder(harness: Harness, behind = 60): Promise<{ other: ReplyingNode; payment: Transaction }> {
  const [payment, rival] = await rivals(harness)
  const other = await harness.other()
  await harness.node.submit(rival)
  await harness.node.mine(behind)
  const reply = await other.submit(payment)
  if (reply !== 'taken') throw new Error(`The older node replied: ${reply}`)
  return { other, payment }
}

/**
 * The reply of a node whose mempool is full, in the words of kaspa-mining 2.1.0 (`RejectMempoolIsFull`). Not played on
 * kaspad: at its smallest scale (`--ram-scale=0.1`) the limit is 100,000 transactions or 100 MB, and transactions by
 * RPC are never evicted. devnode has no limit, and replies so by `failCall`.
 */
export const MEMPOOL_FULL =
  "transaction could not be added to the mempool because it's full with transactions with higher priority"

/**
 * What a node replies to the same signed transaction, submitted again: the texts by which outcomes are decided. A full
 * mempool is `MEMPOOL_FULL`.
 */
export const ROWS: readonly Row[] = [
  { situation: 'in the mempool', reply: IN_MEMPOOL, play: after(({ node }, payment) => node.submit(payment)) },
  { situation: 'in a block, 1 block ago', reply: ACCEPTED, play: included(1) },
  { situation: 'in a block, 100 blocks ago', reply: ACCEPTED, play: included(100) },
  {
    situation: 'in the one of two parallel blocks that was not chosen',
    reply: ACCEPTED,
    play: async (harness) => {
      const { node } = harness
      const [payment, rival] = await rivals(harness)
      await node.mineBeside([() => node.submit(payment), () => node.submit(rival, 'replacement')])
      await node.mine(3)
      const hasPaid = await node.hasUtxo(utxoCreatedBy(payment).outpoint, BOB.address)
      const lost = hasPaid ? rival : payment
      return general(await node.submit(lost), lost)
    },
  },
  {
    situation: '30 deep on a branch that a reorg left, its input spent by the winner',
    reply: ACCEPTED,
    play: afterRival(async (harness, payment, rival) => {
      const other = await harness.other()
      await harness.node.submit(payment)
      await harness.node.mine(30)
      await other.submit(rival)
      await other.mine(60)
      await harness.join('relay')
    }),
  },
  {
    situation: 'in a block more than 1,200 blocks and 10 seconds ago',
    reply: ORPHAN,
    play: after(async ({ node }, payment) => {
      await node.submit(payment)
      await node.mine(1_250)
      await node.pass(11)
      await node.mine(2)
    }),
  },
  {
    situation: 'accepted before a restart of the node',
    reply: ORPHAN,
    play: after(async ({ node }, payment) => {
      await node.submit(payment)
      await node.mine(3)
      await node.restart()
    }),
  },
  { situation: 'its input was spent by another, 1 block ago', reply: ORPHAN, play: spentBefore(1) },
  { situation: 'its input was spent by another, 100 blocks ago', reply: ORPHAN, play: spentBefore(100) },
  {
    situation: 'its parent is unknown',
    reply: ORPHAN,
    play: async ({ node, utxo }) => {
      const child = pay(utxoCreatedBy(pay(await utxo(), ALICE.address)), BOB.address)
      return general(await node.submit(child), child)
    },
  },
  {
    situation: 'its parent was replaced',
    reply: ORPHAN,
    play: async (harness) => {
      const [payment, rival] = await rivals(harness)
      const parent = { ...payment }
      const spent = { ...utxoCreatedBy(parent), amount: parent.outputs[0]!.value }
      const child = BOB.pay([spent], [{ to: ALICE.address, amount: spent.amount - FEE }])
      await harness.node.submit(parent)
      await harness.node.submit(rival, 'replacement')
      return general(await harness.node.submit(child), child)
    },
  },
  {
    situation: 'its input was made after the state of the node',
    reply: ORPHAN,
    play: async (harness) => {
      const parent = pay(await harness.utxo(), ALICE.address)
      const other = await harness.other()
      await harness.node.submit(parent)
      await harness.node.mine(2)
      const child = pay(utxoCreatedBy(parent))
      return general(await other.submit(child), child)
    },
  },
  {
    situation: 'its input is spent in the mempool by another',
    reply: 'output <outpoint> already spent by transaction <rival> in the mempool',
    play: afterRival(({ node }, _, rival) => node.submit(rival)),
  },
  {
    situation: 'it was replaced in the mempool',
    reply: 'output <outpoint> already spent by transaction <rival> in the mempool',
    play: afterRival(async ({ node }, payment, rival) => {
      await node.submit(payment)
      await node.submit(rival, 'replacement')
    }),
  },
  {
    situation: 'as a replacement, its input is spent in the mempool by another at a higher fee rate',
    reply: 'fee rate per contextual mass gram is not greater than the fee rate of the replaced transaction',
    play: afterRival(({ node }, _, rival) => node.submit(rival), 'replacement'),
  },
  {
    situation: 'a replacement whose target was accepted',
    reply: NO_TARGET,
    play: async (harness) => {
      const [target, replacement] = await rivals(harness)
      await harness.node.submit(target)
      await harness.node.mine(1)
      return general(await harness.node.submit(replacement, 'replacement'), replacement)
    },
  },
  {
    situation: 'a replacement whose target was lost in a restart',
    reply: NO_TARGET,
    play: async (harness) => {
      const [target, replacement] = await rivals(harness)
      await harness.node.submit(target)
      await harness.node.restart()
      return general(await harness.node.submit(replacement, 'replacement'), replacement)
    },
  },
  {
    situation: 'a replacement whose target another node has',
    reply: NO_TARGET,
    play: async (harness) => {
      const [target, replacement] = await rivals(harness)
      const other = await harness.other()
      await harness.node.submit(target)
      return general(await other.submit(replacement, 'replacement'), replacement)
    },
  },
  {
    situation: 'the mempool was emptied by a restart',
    reply: 'taken',
    play: after(async ({ node }, payment) => {
      await node.submit(payment)
      await node.restart()
    }),
  },
  {
    situation: 'the mempool of one of two nodes was emptied by a restart',
    reply: 'taken',
    play: after(async (harness, payment) => {
      const other = await harness.other()
      await other.submit(payment)
      await harness.node.submit(payment)
      await harness.node.restart()
    }),
  },
  {
    situation: 'its input was spent, and the node is from an older folder, alone',
    reply: 'taken',
    play: async (harness) => {
      await playOlderFolder(harness)
      return 'taken'
    },
  },
  {
    situation: 'the same after the 60 blocks that it lacked were relayed',
    reply: ORPHAN,
    play: async (harness) => {
      const { other, payment } = await playOlderFolder(harness)
      await harness.join('relay')
      return general(await other.submit(payment), payment)
    },
  },
  {
    situation: 'the same in an IBD of 1,500 blocks',
    reply: IN_MEMPOOL,
    play: async (harness) => {
      const { other, payment } = await playOlderFolder(harness, 1_500)
      let reply = 'There was no IBD'
      await harness.join('ibd', async () => (reply = await other.submit(payment)))
      return general(reply, payment)
    },
  },
  {
    situation: 'the same after an IBD of 1,500 blocks, and three blocks more',
    reply: IN_MEMPOOL,
    play: async (harness) => {
      const { other, payment } = await playOlderFolder(harness, 1_500)
      await harness.join('ibd')
      await harness.node.mine(3)
      return general(await other.submit(payment), payment)
    },
  },
  {
    situation: 'its fee is below 100 sompi a gram',
    reply:
      'transaction <id> is not standard: transaction has 1000 fees which is under the required amount of 162400 for compute mass 1624',
    play: async ({ node, utxo }) => {
      const payment = pay(await utxo(), BOB.address, 1_000n)
      return general(await node.submit(payment), payment)
    },
  },
  {
    situation: 'it spends an immature coinbase output',
    reply: 'one of the transaction inputs spends an immature UTXO',
    play: async ({ node, immature }) => {
      const payment = pay(await immature())
      return general(await node.submit(payment), payment).split(':')[0]!
    },
  },
  {
    situation: 'its parent has no such output',
    reply: 'at least one outpoint of the transaction is impossible to have a matching UTXO entry',
    play: async ({ node, utxo }) => {
      const parent = pay(await utxo(), ALICE.address)
      await node.submit(parent)
      const spent = utxoCreatedBy(parent)
      const child = pay({ ...spent, outpoint: { ...spent.outpoint, index: 7 } })
      return general(await node.submit(child), child)
    },
  },
  {
    situation: 'its signature is that of another key',
    reply: 'failed to verify the signature script',
    play: async ({ node, utxo }) => {
      const spent = await utxo()
      const payment = BOB.pay([spent], [{ to: BOB.address, amount: spent.amount - FEE }])
      return general(await node.submit(payment), payment).split(':')[0]!
    },
  },
  {
    situation: 'it has 1,001 outputs',
    reply: 'transaction has 1001 outputs where the max allowed is 1000',
    play: async ({ node, utxo }) => {
      const outputs = Array.from({ length: 1001 }, () => ({ to: BOB.address, amount: 1_000n }))
      const payment = ALICE.pay([await utxo()], outputs)
      return general(await node.submit(payment), payment)
    },
  },
  {
    situation: 'its storage mass is above the limit',
    reply: 'transaction storage mass of 1000000 is larger than max allowed size of 500000',
    play: async ({ node, utxo }) => {
      const spent = await utxo()
      const [small, rest] = [1_000_000n, spent.amount - 100n * FEE]
      const payment = ALICE.pay(
        [spent],
        [
          { to: BOB.address, amount: small },
          { to: ALICE.address, amount: rest },
        ],
      )
      return general(await node.submit(payment), payment).replace(/mass of \d+ is/, 'mass of 1000000 is')
    },
  },
]
