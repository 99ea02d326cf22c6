import { lastValueFrom } from 'rxjs'
import type { DevnodeBase } from '../../src/devnode/devnode.js'
import type { Random } from '../../src/devnode/machine.js'
import { rpc } from '../../src/engine/features/node-calls.js'
import { transactionStatus } from '../../src/engine/features/transaction-status.js'
import { transactions } from '../../src/engine/features/transactions.js'
import { feature } from '../../src/engine/core-parts.js'
import type { Client } from './client.js'
import type { Payments } from './payments.js'
import type { Promises } from './promises.js'

/** The environment of an action. */
export interface Harness {
  readonly devnode: DevnodeBase
  readonly client: Client
  readonly promises: Promises
  readonly payments: Payments
  readonly random: Random
  /** Chain blocks before the client subscribed; no reorg removes them. */
  readonly settledBlocks: number
  /**
   * Whether payments spend coinbase outputs; false where a reorg reverts mature ones, which would revert the payments.
   */
  readonly spendsRewards: boolean
}

type Action = (harness: Harness) => unknown
type NamedAction = readonly [string, Action]

/** Runs one random action of the network or the client. */
export const runAction = (harness: Harness): void =>
  start(oneOf(harness.random, [...NETWORK_ACTIONS, ...CLIENT_ACTIONS]), harness)

/** Runs one random network action: block, payment or reorg. */
export const runNetworkAction = (harness: Harness): void => start(oneOf(harness.random, NETWORK_ACTIONS), harness)

/** Some actions have no effect: an account without UTXOs, a reorg without blocks to remove. */
function start([name, action]: NamedAction, harness: Harness): void {
  harness.promises.watch(name, Promise.resolve(action(harness)))
}

const KAS = 100_000_000n
const DEEPEST_REORG = 5

const mine: Action = ({ devnode, random }) => {
  const { address } = oneOf(random, devnode.accounts)
  return isStalled(devnode) || devnode.mine(1, { address })
}

const isStalled = ({ faults }: DevnodeBase): boolean => faults.active().some(({ name }) => name === 'stall')

const mineParallel: Action = ({ devnode, random }) => {
  const parallel = integer(random, 2, 3)
  return isStalled(devnode) || devnode.mine(1, { parallel })
}

const fund: Action = ({ devnode, random }) =>
  devnode.fund(oneOf(random, devnode.accounts).address, KAS * BigInt(integer(random, 1, 9)), {
    coinbase: random() < 0.25,
  })

const reorg: Action = ({ random, ...harness }) => {
  const chain = harness.devnode.expected.accepted()
  const depth = integer(random, 1, Math.min(DEEPEST_REORG, chain.length - harness.settledBlocks))
  const [, payment] = random() < 0.3 ? (chain.at(-1)?.acceptedTransactionIds ?? []) : []
  if (depth < 1) return undefined
  return payment === undefined ? harness.devnode.reorg({ depth }) : reorgDropping(payment, depth, harness)
}

/**
 * Drops a payment and its descendants in a reorg. Mines two blocks first, so that each payment is either in the mempool
 * or accepted, and differs from one that was never received.
 */
function reorgDropping(payment: string, depth: number, { devnode, payments }: Omit<Harness, 'random'>): unknown {
  void devnode.mine(2)
  const removedBlocks = devnode.expected.accepted().slice(-depth - 2)
  payments.markDroppable(removedBlocks.flatMap(({ acceptedTransactionIds }) => acceptedTransactionIds))
  payments.markDroppable(devnode.expected.mempool())
  return devnode.reorg({ depth: depth + 2, drop: [payment] })
}

/** Sends a payment and tracks its status. */
const pay: Action = async ({ client: { core, trackers }, devnode, promises, payments, random, spendsRewards }) => {
  const [from, to] = [oneOf(random, devnode.accounts), oneOf(random, devnode.accounts)]
  const entries = trackers[0].current.matureEntries
    .filter(({ address }) => address === from.address)
    .filter(({ isCoinbase }) => spendsRewards || !isCoinbase)
  // A unique amount, so that two payments are never the same transaction.
  const target = { address: to.address, amount: KAS + BigInt(integer(random, 1, 100_000_000)) }
  const sending = feature(core, transactions).send({
    entries,
    outputs: [target],
    changeAddress: from.address,
    privateKeys: [from.privateKeyHex],
  })
  const { transactionIds } = await payments.watch(target, sending)
  const status$ = feature(core, transactionStatus)(transactionIds[0]!, { confirmations: 5, timeout: 3_000 })
  promises.watch('follow', lastValueFrom(status$))
}

/** Pays while the node drops the reply, or closes the connection before it reads the request. */
const payDuringFault: Action = (harness) => {
  const { faults } = harness.devnode
  const span = { method: 'submitTransaction', for: 300 }
  if (harness.random() < 0.5) faults.dropReply(span)
  else faults.injectBlock({ ...span, before: 'close' })
  return pay(harness)
}

const query: Action = ({ client, devnode, random }) => {
  const queries = feature(client.core, rpc)
  return oneOf(random, [
    () => queries.getInfo(),
    () => queries.getBlockDagInfo(),
    () => queries.getUtxosByAddresses(devnode.accounts.map(({ address }) => address)),
    () => queries.getVirtualChainFromBlock(devnode.expected.chain().at(-20) ?? '', true),
  ])()
}

const changeAddresses: Action = ({ client, devnode, random }) =>
  client.addresses$.next(devnode.accounts.map(({ address }) => address).filter((_, at) => at === 0 || random() < 0.3))

const refresh: Action = ({ client, random }) => oneOf(random, client.trackers).refresh()

const ready: Action = ({ client, random }) => oneOf(random, client.trackers).ready()

const connect: Action = ({ client }) => client.core.connection.connect()

const reconnect: Action = ({ client }) => client.core.connection.reconnect()

const disconnectAndConnect: Action = async ({ client }) => {
  await client.core.connection.disconnect()
  return client.core.connection.connect()
}

/** A node stores no mempool: a restart drops what it has relayed, until the application submits it again. */
const restart: Action = ({ devnode, payments, random }) => {
  payments.markDroppable(devnode.expected.mempool())
  return devnode.restart({ downtime: integer(random, 0, 40) })
}

/** Network actions with their weights. */
const NETWORK_ACTIONS: readonly NamedAction[] = [
  ...times(10, 'mine', mine),
  ...times(3, 'mineParallel', mineParallel),
  ...times(5, 'fund', fund),
  ...times(8, 'reorg', reorg),
  ...times(10, 'pay', pay),
]

/** Client actions and node restarts with their weights. */
const CLIENT_ACTIONS: readonly NamedAction[] = [
  ...times(3, 'payDuringFault', payDuringFault),
  ...times(5, 'query', query),
  ...times(6, 'changeAddresses', changeAddresses),
  ...times(6, 'refresh', refresh),
  ...times(1, 'ready', ready),
  ...times(1, 'connect', connect),
  ...times(1, 'reconnect', reconnect),
  ...times(1, 'disconnectAndConnect', disconnectAndConnect),
  ...times(1, 'restart', restart),
]

function times(count: number, name: string, action: Action): NamedAction[] {
  return Array.from({ length: count }, () => [name, action] as const)
}

const integer = (random: Random, from: number, to: number): number => from + Math.floor(random() * (to - from + 1))

function oneOf<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)]!
}
