import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { createRandom } from '../../src/devnode/machine.js'
import { createServerPlatform } from '../../src/platform/detect.js'
import { createSharedOrigin } from '../wrpc/shared/shared-origin.js'
import { runAction, runNetworkAction, type Harness } from './actions.js'
import { DEADLINE, FAULTS_PER_ROUND, KINDS, startClient } from './chaos.js'
import { createClient, type Client } from './client.js'
import { pause } from './pause.js'
import { createPayments } from './payments.js'
import { createPromises } from './promises.js'
import { createRecordingPlatform } from './recording-platform.js'
import { missing, type Baseline } from './stream-differences.js'
import { until } from './until.js'
import { utxoDifferences } from './utxo-differences.js'

export interface SharedChaosReport {
  /** Differences between the devnode and any tab. */
  readonly lost: readonly string[]
  readonly doubled: readonly string[]
  /** Sockets of the node, after each round. */
  readonly sockets: readonly number[]
  readonly triggered: number
}

interface Tab {
  readonly client: Client
  readonly baseline: Baseline
}

/** Actions between the faults of two rounds. */
const RECOVERY_ACTIONS = 20
/** The longest pause between two actions, ms. */
const MAX_PAUSE = 25

/**
 * Runs four tabs on one shared socket through the faults of a seed, with mining, payments of the first tab and reorgs.
 * In each round of ten faults a tab closes and another one opens.
 */
export async function runSharedChaos({ seed, faults }: { seed: number; faults: number }): Promise<SharedChaosReport> {
  const devnode = await createDevnode({ blockInterval: 0, seed })
  const platform = createRecordingPlatform(createServerPlatform())
  const origin = createSharedOrigin(platform)
  const encoding = seed % 2 === 0 ? 'Borsh' : 'SerdeJson'
  const tabs: Tab[] = []
  const open = async (): Promise<void> => {
    const client = createClient(devnode, encoding, platform, origin.openTab().port)
    tabs.push({ client, baseline: await startClient(devnode, client) })
  }
  try {
    for (let count = 0; count < 4; count++) await open()
    return await play(devnode, tabs, open, { seed, faults })
  } finally {
    await Promise.all(tabs.map(({ client }) => client.core.dispose()))
    origin.close()
    await devnode.close()
  }
}

async function play(
  devnode: Devnode,
  tabs: Tab[],
  open: () => Promise<void>,
  { seed, faults }: { seed: number; faults: number },
): Promise<SharedChaosReport> {
  const [promises, payments, random] = [createPromises(), createPayments(), createRandom(~seed)]
  const [first] = tabs
  if (first === undefined) throw new Error('There is no tab')
  const { client } = first
  const settledBlocks = devnode.expected.chain().length
  const harness: Harness = { devnode, client, promises, payments, random, settledBlocks, spendsRewards: true }
  const report = { lost: [] as string[], doubled: [] as string[], sockets: [] as number[], triggered: 0 }
  for (let round = 0; round < faults / FAULTS_PER_ROUND && report.lost.length === 0; round++) {
    const player = devnode.faults.random(seed * 1_000 + round, 8, KINDS)
    const [leaving] = tabs.splice(1, 1)
    const opening = open() // in the middle of the faults
    await leaving?.client.core.dispose()
    while (player.played.length < FAULTS_PER_ROUND) {
      runAction(harness)
      await pause(random() * MAX_PAUSE)
    }
    devnode.faults.clear()
    report.triggered += player.triggered
    await opening
    for (let count = 0; count < RECOVERY_ACTIONS; count++) {
      runNetworkAction(harness)
      await pause(random() * MAX_PAUSE)
    }
    report.lost.push(...(await settledDifferences(devnode, tabs)))
    report.sockets.push(devnode.connections().length)
  }
  report.doubled.push(...tabs.flatMap((tab) => tab.client.recorder.doubled))
  return report
}

/** Mines until every tab has the state of the node; the differences that remain. */
async function settledDifferences(devnode: Devnode, tabs: readonly Tab[]): Promise<readonly string[]> {
  const { expected } = devnode
  const find = (): string[] =>
    tabs.flatMap(({ client, baseline }, at) =>
      [
        ...missing(client.recorder, expected, baseline),
        ...client.trackers.flatMap(({ current }) => utxoDifferences(current, expected, client.reserved())),
        ...(client.virtualDaaScore() === expected.virtualDaaScore() ? [] : ['the DAA score']),
      ].map((line) => `tab ${at}: ${line}`),
    )
  const isSettled = await until(() => {
    if (expected.mempool().length > 0 || tabs.some(({ client }) => client.awaitsBlocks())) void devnode.mine()
    return find().length === 0
  }, DEADLINE)
  return isSettled ? [] : find()
}
