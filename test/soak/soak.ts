import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { createRandom } from '../../src/devnode/machine.js'
import { pause } from '../chaos/pause.js'
import { until } from '../chaos/until.js'
import { fit, grows, type Series } from './fit.js'
import { openPage, type SoakedPage } from './page.js'
import type { ServiceSettings, ServiceUsage } from './service.js'

export interface SoakOptions {
  readonly hours: number
  readonly seed: number
  /** Starts a service in a process of its own, with `--expose-gc`. */
  readonly startService: (settings: ServiceSettings) => Promise<ServiceProcess>
  /** Has the service keep what it receives, to test the detection. */
  readonly leaks: boolean
  /** Whether the service writes its heap after the warm-up and at the end. */
  readonly snapshots: boolean
  readonly log: (line: string) => void
}

export interface ServiceProcess {
  usage(): Promise<ServiceUsage>
  writeSnapshot(name: 'warm' | 'end'): Promise<unknown>
  stop(): void
}

/** Ten blocks a second, as the network has. */
const BLOCK_INTERVAL = 100
const FAULTS_PER_SECOND = 0.1
/** Ms between two reorgs. */
const REORG_INTERVAL = 15_000
const DEEPEST_REORG = 5
/** Samples of a run, and the least ms between two. */
const [SAMPLES, SAMPLE_INTERVAL] = [120, 15_000]
/** The part of a run that is not judged: code is compiled, and what is remembered fills up (`small-bounds.mjs`). */
const WARM_UP = 0.25
/**
 * Blocks before a run, and at once: as many as clients remember (`fetch-blocks.ts`), which would fill for 8 minutes.
 */
const [REMEMBERED_BLOCKS, BLOCKS_AT_ONCE] = [6_000, 50]
/** Ms that clients have to connect again before a sample: a lost response delays a handshake by 10 s. */
const RECONNECT_LIMIT = 30_000
/** Ms in which clients receive something new: the response that a payment waits for may be lost, and be looked up. */
const FOLLOW_LIMIT = 120_000

const MEBIBYTE = 2 ** 20

/** What may not grow, and by how much it may. */
const TOLERANCES = {
  'service: heap and buffers, MiB': 1,
  'service: compiled code, MiB': 4,
  'service: handles': 1,
  'service: listeners of the process': 1,
  'page: heap, MiB': 1,
  'page: listeners': 2,
  'page: nodes': 10,
  'node: connections': 0.5,
  'node: subscriptions': 1,
}
type Figures = Partial<Record<keyof typeof TOLERANCES, number>>

/** A network with its two clients. */
interface Soaked {
  readonly devnode: Devnode
  readonly service: ServiceProcess
  readonly page: SoakedPage | undefined
}

/**
 * A service and a page on a network of ten blocks a second with faults, reorgs and payments. Resolves to what is wrong
 * at the end: figures that grow by a linear fit, and clients that no longer follow the network.
 */
export async function soak({
  hours,
  seed,
  startService,
  leaks,
  snapshots,
  log,
}: SoakOptions): Promise<readonly string[]> {
  const devnode = await createDevnode({ blockInterval: BLOCK_INTERVAL, accounts: 4 })
  const { urls, accounts } = devnode
  const service = await startService({ url: urls.borsh, accounts, leaks })
  const page = await openPage(
    urls.json,
    accounts.map(({ address }) => address),
  )
  if (page === undefined) log('There is no Chromium: the page is left out.')
  const soaked = { devnode, service, page }
  let stopReorgs = (): void => undefined
  try {
    await fillMemories(soaked)
    stopReorgs = playReorgs(devnode, seed)
    devnode.faults.random(seed, FAULTS_PER_SECOND)
    const { series, unconnected } = await takeSamples(soaked, hours * 3_600_000, snapshots)
    stopReorgs()
    devnode.faults.clear()
    const growing = series.filter(grows).map(({ name }) => `${name} grow`)
    for (const line of tableOf(series)) log(line)
    const { done } = await service.usage()
    log(
      `${done.blocks} blocks, ${done.accepted} accepted transactions, ${done.payments} payments, ${done.rejected} rejections, the last one: ${done.rejection}`,
    )
    const missing = unconnected === 0 ? [] : [`${unconnected} samples without a connection of each client`]
    return [...growing, ...missing, ...(await notFollowing(soaked, done))]
  } finally {
    stopReorgs()
    service.stop()
    await page?.close()
    await devnode.close()
  }
}

async function fillMemories(soaked: Soaked): Promise<void> {
  await until(() => isConnected(soaked), RECONNECT_LIMIT)
  for (let mined = 0; mined < REMEMBERED_BLOCKS; mined += BLOCKS_AT_ONCE) {
    await soaked.devnode.mine(BLOCKS_AT_ONCE)
    await pause(BLOCK_INTERVAL)
  }
}

function playReorgs(devnode: Devnode, seed: number): () => void {
  const random = createRandom(seed)
  const timer = setInterval(() => {
    void devnode.reorg({ depth: 1 + Math.floor(random() * DEEPEST_REORG) })
  }, REORG_INTERVAL)
  return () => clearInterval(timer)
}

interface Samples {
  readonly series: readonly Series[]
  /** How many samples were taken without a connection of each client, after `RECONNECT_LIMIT`. */
  readonly unconnected: number
}

async function takeSamples(soaked: Soaked, duration: number, snapshots: boolean): Promise<Samples> {
  const taken: { readonly at: number; readonly figures: Figures }[] = []
  let unconnected = 0
  const start = Date.now()
  const interval = Math.max(duration / SAMPLES, SAMPLE_INTERVAL)
  let isWarm = false
  for (let due = interval; due <= duration; due += interval) {
    await pause(start + due - Date.now())
    if (!(await until(() => isConnected(soaked), RECONNECT_LIMIT))) unconnected++
    taken.push({ at: (Date.now() - start) / 1_000, figures: await figuresOf(soaked) })
    if (!snapshots || isWarm || due < WARM_UP * duration) continue
    isWarm = true
    await soaked.service.writeSnapshot('warm')
  }
  if (snapshots) await soaked.service.writeSnapshot('end')
  const series = Object.entries(TOLERANCES).flatMap(([name, tolerance]) => {
    const samples = taken.slice(WARM_UP * taken.length).flatMap(({ at, figures }) => {
      const value = figures[name as keyof Figures]
      return value === undefined ? [] : { at, value }
    })
    return samples.length === 0 ? [] : { name, tolerance, samples }
  })
  return { series, unconnected }
}

/**
 * Whether nothing disturbs the network, and each client has placed its subscriptions. During the handshake before,
 * which a lost response delays by 10 s, a page has six listeners fewer: a sample then would make a short run grow.
 */
function isConnected({ devnode, page }: Soaked): boolean {
  const connections = devnode.connections()
  const isFollowing = connections.every(({ subscriptions }) => subscriptions.length > 0)
  return devnode.faults.active().length === 0 && connections.length === (page === undefined ? 1 : 2) && isFollowing
}

async function figuresOf({ devnode, service, page }: Soaked): Promise<Figures> {
  const [process, shown] = [await service.usage(), await page?.usage()]
  const connections = devnode.connections()
  return {
    'service: heap and buffers, MiB': process.memory / MEBIBYTE,
    'service: compiled code, MiB': process.code / MEBIBYTE,
    'service: handles': process.handles,
    'service: listeners of the process': process.listeners,
    ...(shown && {
      'page: heap, MiB': shown.heap / MEBIBYTE,
      'page: listeners': shown.listeners,
      'page: nodes': shown.nodes,
    }),
    'node: connections': connections.length,
    'node: subscriptions': connections.reduce((sum, { subscriptions }) => sum + subscriptions.length, 0),
  }
}

function tableOf(series: readonly Series[]): readonly string[] {
  const rows = series.map((one) => {
    const { mean, growth, error } = fit(one.samples)
    const figures = [mean, growth, error].map((value) => value.toFixed(2))
    return `| ${[one.name, ...figures, one.tolerance, grows(one) ? 'grows' : 'flat'].join(' | ')} |`
  })
  return [
    '| what | mean | growth | its standard error | tolerance |  |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ]
}

/** What the clients no longer follow, once nothing disturbs the network: by `FOLLOW_LIMIT` each has something new. */
async function notFollowing({ service, page }: Soaked, before: ServiceUsage['done']): Promise<readonly string[]> {
  const shown = (await page?.usage())?.shown
  const missing = async (): Promise<readonly string[]> => {
    const [{ done }, now] = [await service.usage(), (await page?.usage())?.shown]
    return [
      ...(done.blocks > before.blocks ? [] : ['the service receives no blocks']),
      ...(done.accepted > before.accepted ? [] : ['the service receives no accepted transactions']),
      ...(done.payments > before.payments ? [] : ['the service does not pay']),
      ...SHOWN.flatMap((what, at) => (page && shown?.[at] === now?.[at] ? [`the page shows no new ${what}`] : [])),
    ]
  }
  const end = Date.now() + FOLLOW_LIMIT
  for (;;) {
    await pause(1_000)
    const found = await missing()
    if (found.length === 0 || Date.now() > end) return found
  }
}

/** Of `shown`. */
const SHOWN = ['virtual DAA score', 'accepted transaction']
