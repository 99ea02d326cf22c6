import { setTimeout as pause } from 'node:timers/promises'
import { createDevnode, type Devnode, type RandomFaults } from '../../src/devnode/index.js'
import { FAULT_KINDS, isFaultName, type FaultName } from '../../src/devnode/faults/kinds.js'
import { createRandom } from '../../src/devnode/random.js'
import type { RpcEncoding } from '../../src/model/network.js'
import { MEMORY } from '../../src/streams/acceptance/chain.js'
import { differences } from './books.js'
import { createClient, type Client } from './client.js'
import { happen, liveOn, type Scene } from './happenings.js'
import { misremembered, missing, type Baseline } from './missing.js'
import { createPayments, paidTwice, untruths } from './payments.js'
import { createPromises } from './promises.js'
import { until } from './until.js'
import type { Tamper } from './watched-platform.js'

export interface ChaosOptions {
  readonly seed: number
  /** How many faults are to be lived through. */
  readonly faults: number
  /** Faults a second, on average. @default 8 */
  readonly rate?: number
  /** @default Borsh for even seeds, JSON for odd ones */
  readonly encoding?: RpcEncoding
  /** How deep one reorg in the middle of it is; 0: there is none. @default every fifth seed: deeper than is remembered */
  readonly deepReorg?: number
  /** How long, in ms, the client may take to be made whole once nothing goes wrong any more. @default 60_000 */
  readonly patience?: number
  /** A betrayal that the report is to show. */
  readonly tamper?: Tamper
}

/** What a run came to. The lists are to be empty; what is in them is told in words. */
export interface ChaosReport {
  readonly faults: number
  /** What the truth holds and the client does not, or the other way round. */
  readonly lost: readonly string[]
  /** What was told twice, or sent twice. */
  readonly doubled: readonly string[]
  /** What never settled, or never let go. */
  readonly hung: readonly string[]
  /** What it has lived through. */
  readonly lived: Lived
}

export interface Lived {
  /** Faults that have found something to spoil. */
  readonly struck: number
  readonly connections: number
  readonly blocks: number
  readonly accepted: number
  readonly reverted: number
  readonly payments: number
  readonly gaps: number
}

/** Long: it is a bound for what hangs, and a machine may have other things to do. */
const PATIENCE = 60_000

/** Milliseconds from one happening to the next, at most. */
const TEMPO = 15

/** Faults in a round, and how much happens while one rests from them. */
const ROUND = 10
const RESTING = 40

/** All that a client of ours is to live through without a trace: what passes, and does not tell it a lie that nobody can see. */
const KINDS: readonly FaultName[] = Object.keys(FAULT_KINDS)
  .filter(isFaultName)
  .filter((name) => name !== 'wrongNetwork' && name !== 'noUtxoIndex' && name !== 'failRest')

/**
 * Lets a client of ours live through a seed's faults, while blocks come, payments are made and the chain is reorganized;
 * then compares what it knows with what a perfect client would know.
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { seed, encoding = seed % 2 === 0 ? 'Borsh' : 'SerdeJson' } = options
  const devnode = await createDevnode({ blockInterval: 0, seed })
  const client = createClient(devnode, encoding, options.tamper)
  try {
    return await live(devnode, client, options)
  } finally {
    await client.core.dispose()
    await devnode.close()
  }
}

async function live(devnode: Devnode, client: Client, options: ChaosOptions): Promise<ChaosReport> {
  const { patience = PATIENCE, deepReorg = options.seed % 5 === 0 ? MEMORY + 20 : 0 } = options
  const baseline = await beginListening(devnode, client, patience)
  const [promises, payments] = [createPromises(), createPayments()]
  const random = createRandom(~options.seed)
  const spendsRewards = deepReorg === 0
  const scene: Scene = { devnode, client, promises, payments, random, settledBlocks: baseline.chain, spendsRewards }

  const { faults, struck, lost } = await playRounds(scene, baseline, { ...options, deepReorg })
  const hung = [...(await whileMining(devnode, () => promises.hung(patience)))]
  await devnode.mine(2) // what stands beside the chain is merged
  lost.push(...(await madeWhole(scene, baseline, patience)), ...untruths(payments, client.platform, devnode.truth))
  client.leave()
  hung.push(...(await leftBehind(devnode, client, patience)))
  const { told, blocks, gaps, doubled } = client.witness
  const lived = { struck, connections: client.connections, blocks: blocks.length, ...told, gaps: gaps.length }
  return {
    faults,
    lost,
    doubled: [...doubled, ...paidTwice(payments, client.platform)],
    hung,
    lived: { ...lived, payments: promises.fulfilled('pay') },
  }
}

interface Played {
  readonly faults: number
  readonly struck: number
  readonly lost: string[]
}

/** Round after round of faults, and a rest after each in which nothing but the network's life goes on; then books are compared. */
async function playRounds(
  scene: Scene,
  baseline: Baseline,
  { seed, faults, rate = 8, patience = PATIENCE, deepReorg = 0 }: ChaosOptions,
): Promise<Played> {
  const { devnode, client } = scene
  await devnode.mine(deepReorg)
  await until(() => missing(client.witness, devnode.truth, baseline).length === 0, patience)
  const rounds = Math.max(1, Math.ceil(faults / ROUND))
  const played = { faults: 0, struck: 0, lost: [] as string[] }
  for (let round = 0; round < rounds && played.lost.length === 0; round++) {
    if (deepReorg > 0 && round === rounds >> 1) await reorgDeeply(devnode, deepReorg)
    const player = devnode.faults.random(seed * 1_000 + round, rate, KINDS)
    await liveThrough(player, Math.min(ROUND, faults - played.faults), scene)
    devnode.faults.clear()
    played.faults += player.played.length
    played.struck += player.struck
    await rest(scene)
    played.lost.push(...(await madeWhole(scene, baseline, patience)))
  }
  return played
}

/**
 * All tips are merged before: so far beneath a new branch nobody merges what the chain does not hold, and a payment in it
 * would be gone.
 */
async function reorgDeeply(devnode: Devnode, depth: number): Promise<void> {
  await devnode.mine(2)
  await devnode.reorg({ depth })
}

/** Lets the network live on until so many faults have been played. */
async function liveThrough({ played }: RandomFaults, faults: number, scene: Scene): Promise<void> {
  while (played.length < faults) {
    happen(scene)
    await pause(scene.random() * TEMPO)
  }
}

/** The client finds back while the network goes on. From here nothing is read anew that would hide what was missed. */
async function rest(scene: Scene): Promise<void> {
  scene.promises.watch('the last connect', scene.client.core.connection.connect())
  for (let count = 0; count < RESTING; count++) {
    liveOn(scene)
    await pause(scene.random() * TEMPO)
  }
}

/** Connects, and waits until the client hears what comes; where it began. */
async function beginListening(devnode: Devnode, client: Client, patience: number): Promise<Baseline> {
  const { core, ledgers, witness } = client
  await Promise.all([core.wasm.init(), core.connection.connect()])
  await ledgers[0].settled()
  await until(() => client.isListening(), patience)
  await devnode.mine()
  await until(() => witness.blocks.length > 0, patience)
  const baseline = { chain: devnode.truth.chain().length, blocks: devnode.truth.blocks().length }
  await devnode.mine(20)
  await until(() => missing(witness, devnode.truth, baseline).length === 0, patience)
  return baseline
}

/** Lets blocks come, on which confirmations hang, for as long as `wait` takes. */
async function whileMining<T>(devnode: Devnode, wait: () => Promise<T>): Promise<T> {
  const mining = setInterval(() => void devnode.mine(), TEMPO)
  return wait().finally(() => clearInterval(mining))
}

/** Empties the mempool and waits until the client knows what there is to know; what it does not. */
async function madeWhole({ devnode, client }: Scene, baseline: Baseline, patience: number): Promise<readonly string[]> {
  const { truth } = devnode
  const wrong = (): readonly string[] => [
    ...missing(client.witness, truth, baseline),
    ...misremembered(client.history(), truth),
    ...client.ledgers.flatMap(({ shown }) => differences(shown, truth)),
    ...(client.virtualDaaScore() === truth.virtualDaaScore() ? [] : [`DAA score ${truth.virtualDaaScore()}`]),
  ]
  const isWhole = (): boolean => {
    if (truth.mempool().length > 0) void devnode.mine() // payments may still be on their way
    return wrong().length === 0
  }
  return (await until(isWhole, patience)) ? [] : wrong()
}

/** What remains at the node of a client that listens no more, and of one that is gone. */
async function leftBehind(devnode: Devnode, { core }: Client, patience: number): Promise<readonly string[]> {
  const subscriptions = () => devnode.connections().flatMap((connection) => connection.subscriptions)
  await until(() => subscriptions().length === 0, patience)
  const left = subscriptions().map(({ type }) => `a subscription to ${type}`)
  await core.dispose()
  await until(() => devnode.sockets() === 0, patience)
  return [...left, ...Array.from({ length: devnode.sockets() }, () => 'a socket')]
}
