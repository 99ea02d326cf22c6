import { lastValueFrom } from 'rxjs'
import type { Devnode } from '../../src/devnode/index.js'
import type { Random } from '../../src/devnode/random.js'
import { rpc } from '../../src/engine/features/rpc.js'
import { transactionStatus } from '../../src/engine/features/transaction-status.js'
import { transactions } from '../../src/engine/features/transactions.js'
import { feature } from '../../src/engine/feature.js'
import type { Client } from './client.js'
import type { Payments } from './payments.js'
import type { Promises } from './promises.js'

/** Where things happen. */
export interface Scene {
  readonly devnode: Devnode
  readonly client: Client
  readonly promises: Promises
  readonly payments: Payments
  readonly random: Random
  /** Chain blocks that stood before the client listened: no reorg reaches them. */
  readonly settledBlocks: number
  /** Whether payments spend mining rewards: not where a reorg takes back rewards that had ripened, and with them what was paid. */
  readonly spendsRewards: boolean
}

type Happening = (scene: Scene) => unknown
type NamedHappening = readonly [string, Happening]

/** Lets one thing happen: a block, a payment, a reorg, a question, a whim of the application. */
export const happen = (scene: Scene): void => begin(oneOf(scene.random, [...LIFE, ...WHIMS]), scene)

/** The same without whims: blocks, payments and reorgs only. */
export const liveOn = (scene: Scene): void => begin(oneOf(scene.random, LIFE), scene)

/** An account may be out of coins, a reorg may find nothing to replace: then this is not what happens. */
function begin([name, happening]: NamedHappening, scene: Scene): void {
  scene.promises.watch(name, Promise.resolve(happening(scene)))
}

const KAS = 100_000_000n
const DEEPEST_REORG = 5

const mine: Happening = ({ devnode, random }) => {
  const { address } = oneOf(random, devnode.accounts)
  return isStuck(devnode) || devnode.mine(1, { address })
}

const isStuck = ({ faults }: Devnode): boolean => faults.active().some(({ name }) => name === 'stuck')

const mineParallel: Happening = ({ devnode, random }) => {
  const parallel = whole(random, 2, 3)
  return isStuck(devnode) || devnode.mine(1, { parallel })
}

const fund: Happening = ({ devnode, random }) =>
  devnode.fund(oneOf(random, devnode.accounts).address, KAS * BigInt(whole(random, 1, 9)), {
    coinbase: random() < 0.25,
  })

const reorg: Happening = ({ random, ...scene }) => {
  const chain = scene.devnode.truth.accepted()
  const depth = whole(random, 1, Math.min(DEEPEST_REORG, chain.length - scene.settledBlocks))
  const [, payment] = random() < 0.3 ? (chain.at(-1)?.acceptedTransactionIds ?? []) : []
  if (depth < 1) return undefined
  return payment === undefined ? scene.devnode.reorg({ depth }) : reorgAway(payment, depth, scene)
}

/**
 * What the blocks that go held and no other will is gone, with all that was built on it: the network's doing. Two blocks
 * come first, so that each payment either waits in the mempool or is accepted, and can be told from one that never came.
 */
function reorgAway(payment: string, depth: number, { devnode, payments }: Omit<Scene, 'random'>): unknown {
  void devnode.mine(2)
  const going = devnode.truth.accepted().slice(-depth - 2)
  payments.endanger(going.flatMap(({ acceptedTransactionIds }) => acceptedTransactionIds))
  payments.endanger(devnode.truth.mempool())
  return devnode.reorg({ depth: depth + 2, drop: [payment] })
}

/** Pays, and follows what becomes of it. */
const pay: Happening = async ({ client: { core, ledgers }, devnode, promises, payments, random, spendsRewards }) => {
  const [from, to] = [oneOf(random, devnode.accounts), oneOf(random, devnode.accounts)]
  const entries = ledgers[0].shown.matureEntries
    .filter(({ address }) => address === from.address)
    .filter(({ isCoinbase }) => spendsRewards || !isCoinbase)
  // An amount of its own, so that no two payments can be one transaction.
  const order = { address: to.address, amount: KAS + BigInt(whole(random, 1, 100_000_000)) }
  const sending = feature(core, transactions).send({
    entries,
    outputs: [order],
    changeAddress: from.address,
    privateKeys: [from.privateKeyHex],
  })
  const { transactionIds } = await payments.watch(order, sending)
  const status$ = feature(core, transactionStatus)(transactionIds[0]!, { confirmations: 5, timeout: 3_000 })
  promises.watch('follow', lastValueFrom(status$))
}

/** Pays while the node is about to lose its answer, or to go before it has so much as read what it is asked. */
const payInVain: Happening = (scene) => {
  const { faults } = scene.devnode
  const span = { method: 'submitTransaction', for: 300 }
  if (scene.random() < 0.5) faults.loseReply(span)
  else faults.interject({ ...span, before: 'close' })
  return pay(scene)
}

const ask: Happening = ({ client, devnode, random }) => {
  const queries = feature(client.core, rpc)
  return oneOf(random, [
    () => queries.getInfo(),
    () => queries.getBlockDagInfo(),
    () => queries.getUtxosByAddresses(devnode.accounts.map(({ address }) => address)),
    () => queries.getVirtualChainFromBlock(devnode.truth.chain().at(-20) ?? '', true),
  ])()
}

const lookElsewhere: Happening = ({ client, devnode, random }) =>
  client.looksAt$.next(devnode.accounts.map(({ address }) => address).filter((_, at) => at === 0 || random() < 0.3))

const refresh: Happening = ({ client, random }) => oneOf(random, client.ledgers).refresh()

const settle: Happening = ({ client, random }) => oneOf(random, client.ledgers).settled()

const connect: Happening = ({ client }) => client.core.connection.connect()

const reconnect: Happening = ({ client }) => client.core.connection.reconnect()

const hangUp: Happening = async ({ client }) => {
  await client.core.connection.disconnect()
  return client.core.connection.connect()
}

const restart: Happening = ({ devnode, random }) => devnode.restart({ downtime: whole(random, 0, 40) })

/** What the network does by itself, each as often as it stands here. */
const LIFE: readonly NamedHappening[] = [
  ...times(10, 'mine', mine),
  ...times(3, 'mineParallel', mineParallel),
  ...times(5, 'fund', fund),
  ...times(8, 'reorg', reorg),
  ...times(10, 'pay', pay),
]

/** What the application thinks of beside that, and what is done to it. */
const WHIMS: readonly NamedHappening[] = [
  ...times(3, 'payInVain', payInVain),
  ...times(5, 'ask', ask),
  ...times(6, 'lookElsewhere', lookElsewhere),
  ...times(6, 'refresh', refresh),
  ...times(1, 'settled', settle),
  ...times(1, 'connect', connect),
  ...times(1, 'reconnect', reconnect),
  ...times(1, 'hangUp', hangUp),
  ...times(1, 'restart', restart),
]

function times(count: number, name: string, happening: Happening): NamedHappening[] {
  return Array.from({ length: count }, () => [name, happening] as const)
}

const whole = (random: Random, from: number, to: number): number => from + Math.floor(random() * (to - from + 1))

/** One of at least one. */
function oneOf<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)]!
}
