import { pause } from './pause.js'
import { createDevnode, type DevnodeOptions, type RandomFaults } from '../../src/devnode/index.js'
import type { DevnodeBase } from '../../src/devnode/devnode.js'
import type { Platform } from '../../src/platform/port.js'
import { createServerPlatform } from '../../src/platform/detect.js'
import { FAULT_KINDS, isFaultName, type FaultName } from '../../src/devnode/faults/kinds.js'
import { createRandom } from '../../src/devnode/machine.js'
import { rpc } from '../../src/engine/features/node-calls.js'
import { feature } from '../../src/engine/core-parts.js'
import { ChainRpcError } from '../../src/errors/rpc-error.js'
import type { RpcEncoding } from '../../src/model/network.js'
import { MAX_CHAIN_BLOCKS } from '../../src/streams/acceptance/resumed-batches.js'
import { utxoDifferences } from './utxo-differences.js'
import { createClient, type Client } from './client.js'
import { runAction, runNetworkAction, type Harness } from './actions.js'
import { historyDifferences, missing, type Baseline } from './stream-differences.js'
import { createPayments, duplicatePayments, outcomeErrors } from './payments.js'
import { createPromises } from './promises.js'
import { until } from './until.js'
import { createRecordingPlatform, type Tamper } from './recording-platform.js'
import { FULL } from '../full.js'

export interface ChaosOptions {
  readonly seed: number
  /** Number of faults. */
  readonly faults: number
  /** Average faults per second. @default 8 */
  readonly rate?: number
  /** @default Borsh for even seeds, JSON for odd ones */
  readonly encoding?: RpcEncoding
  /** Depth of one reorg in the middle of the run; 0: none. @default beyond `MAX_CHAIN_BLOCKS` for every fifth seed */
  readonly deepReorg?: number
  /** The network: on sockets, or within this process. @default on sockets */
  readonly open?: (options: DevnodeOptions) => Promise<ChaosNetwork> | ChaosNetwork
  /** Corruption that the report must list. */
  readonly tamper?: Tamper
}

/** A network, and the platform of its clients. */
export interface ChaosNetwork {
  readonly devnode: DevnodeBase
  readonly platform: Platform
}

/** The result of a run. The lists describe failures. */
export interface ChaosReport {
  readonly faults: number
  /** Differences between the expected state and the client. */
  readonly lost: readonly string[]
  /** Values emitted twice and payments sent twice. */
  readonly doubled: readonly string[]
  /** Promises that never settled, and resources that were not released. */
  readonly hung: readonly string[]
  readonly counts: ChaosCounts
}

export interface ChaosCounts {
  /** Faults that took effect. */
  readonly triggered: number
  readonly connections: number
  readonly blocks: number
  readonly accepted: number
  readonly reverted: number
  readonly payments: number
  readonly gaps: number
}

/** Deadline for each recovery, ms. Long, because the machine may be busy. */
export const DEADLINE = 180_000

/** Blocks after a dropped message until its effects are final: the client has received them, and has not recovered. */
const BLOCKS_AFTER_DROP = 10

/** The longest pause between two actions, ms. A full run has more actions for each fault. */
const MAX_PAUSE = FULL ? 15 : 25

/** Faults per round, and actions during the recovery after it. */
export const FAULTS_PER_ROUND = 10
const RECOVERY_ACTIONS = 40

/** Faults that a client must recover from: temporary, and detectable by it. */
export const KINDS: readonly FaultName[] = Object.keys(FAULT_KINDS)
  .filter(isFaultName)
  .filter((name) => name !== 'wrongNetwork' && name !== 'noUtxoIndex' && name !== 'failRest')

/**
 * Runs a client through the faults of a seed, with mining, payments and reorgs; then compares its state with the
 * expected state.
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { seed, encoding = seed % 2 === 0 ? 'Borsh' : 'SerdeJson' } = options
  const { open = openDevnode } = options
  const { devnode, platform } = await open({ blockInterval: 0, seed })
  const client = createClient(devnode, encoding, createRecordingPlatform(platform, options.tamper))
  try {
    return await playSeed(devnode, client, options)
  } finally {
    await client.core.dispose()
    await devnode.close()
  }
}

const openDevnode = async (options: DevnodeOptions): Promise<ChaosNetwork> => ({
  devnode: await createDevnode(options),
  platform: createServerPlatform(),
})

async function playSeed(devnode: DevnodeBase, client: Client, options: ChaosOptions): Promise<ChaosReport> {
  const { deepReorg = options.seed % 5 === 0 ? MAX_CHAIN_BLOCKS + 20 : 0 } = options
  const baseline = await startClient(devnode, client)
  const [promises, payments] = [createPromises(), createPayments()]
  const random = createRandom(~options.seed)
  const spendsRewards = deepReorg === 0
  const harness: Harness = { devnode, client, promises, payments, random, settledBlocks: baseline.chain, spendsRewards }

  const { faults, triggered, lost } = await playRounds(harness, baseline, { ...options, deepReorg })
  const hung = [...(await whileMining(devnode, () => promises.hung(DEADLINE)))]
  await devnode.mine(2) // merges the off-chain blocks
  lost.push(
    ...(await settledDifferences(harness, baseline)),
    ...outcomeErrors(payments, client.platform, devnode.expected),
  )
  client.unsubscribe()
  hung.push(...(await remainingResources(devnode, client)))
  const { counts: changes, blocks, gaps, doubled } = client.recorder
  const counts = { triggered, connections: client.connections, blocks: blocks.length, ...changes, gaps: gaps.length }
  return {
    faults,
    lost,
    doubled: [...doubled, ...duplicatePayments(payments, client.platform)],
    hung,
    counts: { ...counts, payments: promises.fulfilled('pay') },
  }
}

interface Played {
  readonly faults: number
  readonly triggered: number
  readonly lost: string[]
}

/** Plays rounds of faults; each is followed by a recovery with network actions only, and by a comparison. */
async function playRounds(
  harness: Harness,
  baseline: Baseline,
  { seed, faults, rate = 8, deepReorg = 0 }: ChaosOptions,
): Promise<Played> {
  const { devnode, client } = harness
  await devnode.mine(deepReorg)
  await until(() => missing(client.recorder, devnode.expected, baseline).length === 0, DEADLINE)
  client.platform.startTampering()
  const rounds = Math.max(1, Math.ceil(faults / FAULTS_PER_ROUND))
  const played = { faults: 0, triggered: 0, lost: [] as string[] }
  for (let round = 0; round < rounds && played.lost.length === 0; round++) {
    if (deepReorg > 0 && round === rounds >> 1) await reorgDeeply(devnode, deepReorg)
    const player = devnode.faults.random(seed * 1_000 + round, rate, KINDS)
    await playFaults(player, Math.min(FAULTS_PER_ROUND, faults - played.faults), harness)
    devnode.faults.clear()
    played.faults += player.played.length
    played.triggered += player.triggered
    await recover(harness)
    played.lost.push(...(await settledDifferences(harness, baseline)))
  }
  return played
}

/**
 * Merges all tips first: blocks that deep below the new branch are not merged later, and their payments would be
 * dropped.
 */
async function reorgDeeply(devnode: DevnodeBase, depth: number): Promise<void> {
  await devnode.mine(2)
  await devnode.reorg({ depth })
}

/** Runs actions until so many faults have been played. */
async function playFaults({ played }: RandomFaults, faults: number, harness: Harness): Promise<void> {
  while (played.length < faults) {
    runAction(harness)
    await pause(harness.random() * MAX_PAUSE)
  }
}

/** Reconnects and runs network actions. No refresh from here on, because it would hide missing events. */
async function recover(harness: Harness): Promise<void> {
  harness.promises.watch('the last connect', harness.client.core.connection.connect())
  for (let count = 0; count < RECOVERY_ACTIONS; count++) {
    runNetworkAction(harness)
    await pause(harness.random() * MAX_PAUSE)
  }
}

/** Connects, and waits until the client receives blocks; returns its start. */
export async function startClient(devnode: DevnodeBase, client: Client): Promise<Baseline> {
  const { core, trackers, recorder } = client
  await Promise.all([core.wasm.init(), core.connection.connect()])
  while (!(await isReady(trackers[0]))) await pause(MAX_PAUSE)
  await until(() => client.isSubscribed(), DEADLINE)
  await devnode.mine()
  await until(() => recorder.blocks.length > 0, DEADLINE)
  const baseline = { chain: devnode.expected.chain().length, blocks: devnode.expected.blocks().length }
  await devnode.mine(20)
  await until(() => missing(recorder, devnode.expected, baseline).length === 0, DEADLINE)
  return baseline
}

/** Whether the first snapshot is complete; false where the node refuses it: a tab may open during faults. */
async function isReady(tracker: Client['trackers'][0]): Promise<boolean> {
  try {
    await tracker.ready()
    return true
  } catch (error) {
    if (error instanceof ChainRpcError && error.code === 'remote') return false
    throw error
  }
}

/** Mines while `wait` is pending, because confirmations need blocks. */
async function whileMining<T>(devnode: DevnodeBase, wait: () => Promise<T>): Promise<T> {
  const mining = setInterval(() => void devnode.mine(), MAX_PAUSE)
  return wait().finally(() => clearInterval(mining))
}

/** Empties the mempool and waits until the client has the expected state; the remaining differences. */
async function settledDifferences(harness: Harness, baseline: Baseline): Promise<readonly string[]> {
  const { devnode, client } = harness
  const { expected } = devnode
  const findDifferences = (): readonly string[] => [
    ...withoutConnection(client),
    ...missing(client.recorder, expected, baseline),
    ...historyDifferences(client.history(), expected),
    ...client.trackers.flatMap(({ current }) => utxoDifferences(current, expected, client.reserved())),
    ...wrongReservations(harness),
    ...(client.virtualDaaScore() === expected.virtualDaaScore() ? [] : [`DAA score ${expected.virtualDaaScore()}`]),
  ]
  return settle(devnode, client, () => {
    // payments may still be pending, and one that the node has dropped counts until two more blocks
    if (expected.mempool().length > 0 || client.awaitsBlocks()) void devnode.mine()
    return findDifferences()
  })
}

/** The state of the connection where there is none: then all that follows is missing. */
function withoutConnection({ connection: { status, error } }: Client): readonly string[] {
  return status === 'connected' ? [] : [`the connection is ${status}: ${String(error)}`]
}

/**
 * Waits until there are no differences; those that remain. After a dropped message, those that any of the next blocks
 * shows: the client may read once more what a message did not bring, which hides it until the next one is dropped.
 */
async function settle(
  devnode: DevnodeBase,
  { core, platform }: Client,
  findDifferences: () => readonly string[],
): Promise<readonly string[]> {
  const hasDropped = (): boolean => platform.dropped > 0
  const isOver = await until(() => hasDropped() || findDifferences().length === 0, DEADLINE)
  if (!hasDropped()) return isOver ? [] : findDifferences()
  const seen = new Set<string>()
  for (let block = 0; block < BLOCKS_AFTER_DROP; block++) {
    await devnode.mine()
    await feature(core, rpc).getInfo() // its response follows the notifications of the block
    for (const difference of findDifferences()) seen.add(difference)
  }
  return [...seen]
}

/**
 * Payments that stay reserved although they were accepted, or were neither dropped by a reorg or a restart nor lost.
 */
function wrongReservations({ devnode, client, payments }: Harness): readonly string[] {
  const accepted = new Set(devnode.expected.accepted().flatMap(({ acceptedTransactionIds }) => acceptedTransactionIds))
  const paid = new Set(payments.records.flatMap(({ outcome }) => (typeof outcome === 'object' && 'paid' in outcome ? [outcome.paid] : []))) // prettier-ignore
  return client
    .reserved()
    .map(({ transaction }) => transaction.id)
    .filter((id) => accepted.has(id) || (paid.has(id) && !payments.droppable.has(id)))
    .map((id) => `${id} is still reserved`)
}

/** Subscriptions without a subscriber, and sockets after disposal, that remain at the node. */
async function remainingResources(devnode: DevnodeBase, client: Client): Promise<readonly string[]> {
  const subscriptions = () => devnode.connections().flatMap((connection) => connection.subscriptions)
  const remaining = await settle(devnode, client, () => subscriptions().map(({ type }) => `a subscription to ${type}`))
  await client.core.dispose()
  await until(() => devnode.sockets() === 0, DEADLINE)
  return [...remaining, ...Array.from({ length: devnode.sockets() }, () => 'a socket')]
}
