import { setTimeout as pause } from 'node:timers/promises'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { createRandom } from '../../src/devnode/random.js'
import type { RpcEncoding } from '../../src/model/network.js'
import { differences } from './books.js'
import { createClient, type Client } from './client.js'
import { happen, liveOn, type Scene } from './happenings.js'
import { createPromises } from './promises.js'
import { until } from './until.js'
import { misremembered, missing } from './witness.js'

export interface ChaosOptions {
  readonly seed: number
  /** How many faults are to be lived through. */
  readonly faults: number
  /** Faults a second, on average. @default 30 */
  readonly rate?: number
  /** @default Borsh for even seeds, JSON for odd ones */
  readonly encoding?: RpcEncoding
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
  readonly connections: number
  readonly accepted: number
  readonly reverted: number
  readonly payments: number
  readonly gaps: number
}

/** How long, in ms, a client may take to be made whole once nothing goes wrong any more. */
const PATIENCE = 15_000

/** Milliseconds from one happening to the next, at most. */
const TEMPO = 15

/**
 * Lets a client of ours live through a seed's faults, while blocks come, payments are made and the chain is reorganized;
 * then compares what it knows with what a perfect client would know.
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { seed, encoding = seed % 2 === 0 ? 'Borsh' : 'SerdeJson' } = options
  const devnode = await createDevnode({ blockInterval: 0, seed })
  const client = createClient(devnode, encoding)
  try {
    return await live(devnode, client, options)
  } finally {
    await client.core.dispose()
    await devnode.close()
  }
}

async function live(devnode: Devnode, client: Client, options: ChaosOptions): Promise<ChaosReport> {
  const baseline = await beginListening(devnode, client)
  const settledBlocks = devnode.truth.chain().length
  const promises = createPromises()
  const scene: Scene = { devnode, client, promises, random: createRandom(~options.seed), settledBlocks }

  const faults = await suffer(scene, options)
  promises.watch('the last connect', client.core.connection.connect())
  const hung = [...(await whileMining(devnode, () => promises.hung(PATIENCE)))]
  const lost = [...(await madeWhole(scene, baseline))]
  await liveOn(scene)
  lost.push(...(await madeWhole(scene, baseline)))
  client.leave()
  hung.push(...(await leftBehind(devnode, client)))
  const { told, gaps } = client.witness
  const lived = { ...told, connections: client.connections, payments: promises.fulfilled('pay'), gaps: gaps.length }
  return { faults, lost, doubled: [...client.witness.doubled, ...sentTwice(client)], hung, lived }
}

/** Connects, and waits until the client hears what is accepted; the hash of the last block of which it did not hear. */
async function beginListening(devnode: Devnode, client: Client): Promise<string> {
  const { core, ledgers, witness } = client
  await Promise.all([core.wasm.init(), core.connection.connect()])
  await ledgers[0].settled()
  await until(() => client.isListening(), PATIENCE)
  const baseline = devnode.truth.chain().at(-1)!
  await devnode.mine(20)
  await until(() => missing(witness, devnode.truth, baseline).length === 0, PATIENCE)
  return baseline
}

/** Plays the faults of a seed, and the network's life through them; how many were played. */
async function suffer(scene: Scene, { seed, faults, rate = 12 }: ChaosOptions): Promise<number> {
  const { devnode, random } = scene
  const player = devnode.faults.random(seed, rate)
  while (player.played.length < faults) {
    happen(scene)
    await pause(random() * TEMPO)
  }
  devnode.faults.clear()
  return player.played.length
}

/** Lets blocks come, on which confirmations hang, for as long as `wait` takes. */
async function whileMining<T>(devnode: Devnode, wait: () => Promise<T>): Promise<T> {
  const mining = setInterval(() => void devnode.mine(), TEMPO)
  return wait().finally(() => clearInterval(mining))
}

/** Empties the mempool and waits until the client knows what there is to know; what it does not. */
async function madeWhole({ devnode, client }: Scene, baseline: string): Promise<readonly string[]> {
  do await devnode.mine()
  while (devnode.truth.mempool().length > 0)
  const wrong = (): readonly string[] => [
    ...missing(client.witness, devnode.truth, baseline),
    ...misremembered(client.history(), devnode.truth),
    ...client.ledgers.flatMap(({ shown }) => differences(shown, devnode.truth)),
  ]
  return (await until(() => wrong().length === 0, PATIENCE)) ? [] : wrong()
}

/** What remains at the node of a client that listens no more, and of one that is gone. */
async function leftBehind(devnode: Devnode, { core }: Client): Promise<readonly string[]> {
  const subscriptions = () => devnode.connections().flatMap((connection) => connection.subscriptions)
  await until(() => subscriptions().length === 0, PATIENCE)
  const left = subscriptions().map(({ type }) => `a subscription to ${type}`)
  await core.dispose()
  await until(() => devnode.connections().length === 0, PATIENCE)
  return [...left, ...devnode.connections().map(({ id }) => `connection ${id}`)]
}

const sentTwice = ({ platform }: Client): string[] =>
  [...platform.submits].filter(([, times]) => times > 1).map(([id, times]) => `${id} was sent ${times} times`)
