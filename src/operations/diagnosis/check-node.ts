import { defer, first, map, repeat, timer, toArray } from 'rxjs'
import type { ChainNetwork } from '../../model/network.js'
import { isOlder } from '../../model/version.js'
import type { RpcResponse } from '../../node/messages/records.js'
import { SINCE } from '../../node/messages/since.js'
import type { NodeConnection } from '../../node/port.js'
import { within, type Limits } from './check-connection.js'
import {
  type DiagnosisProbes,
  type CheckId,
  type DiagnosisCheck,
  failed,
  passed,
  skipped,
  warning,
  wordsOf,
} from './report.js'

type Info = RpcResponse<'getServerInfo'>

/** The ids of `checkNode`. */
export const NODE_CHECKS: readonly CheckId[] = [
  'network',
  'synced',
  'utxo-index',
  'version',
  'daa-score',
  'clock',
  'round-trip',
]

/** The oldest supported node. */
const OLDEST = '0.15.0'

/** How long the DAA score may stand still, ms, and how often it is read. */
const SCORE_WAIT = 3_000
const SCORE_INTERVAL = 100

/** A clock that differs by this much is reported, or fails: signatures with a time limit are rejected. */
const CLOCK_WARNING = 5_000
const CLOCK_FAILURE = 120_000

/** Requests of the round-trip time, and the times that are reported, ms. */
const PINGS = 5
const SLOW = 500
const VERY_SLOW = 3_000

/** Checks what the node says about itself, with read-only requests. */
export async function checkNode(
  connection: NodeConnection,
  info: Info,
  probes: DiagnosisProbes,
  limits: Limits,
): Promise<readonly DiagnosisCheck[]> {
  const network = checkNetwork(info, probes.target.network)
  const known = [network, checkSynced(info, probes.target.network), checkUtxoIndex(info), checkVersion(info)]
  const roundTrip = await checkRoundTrip(connection, probes, limits)
  const [score, clock] = await Promise.all([
    checkScore(connection, info, probes, limits),
    checkClock(connection, probes, limits),
  ])
  return [...known, score, clock, roundTrip]
}

const checkNetwork = ({ networkId }: Info, network: ChainNetwork): DiagnosisCheck =>
  networkId === network
    ? passed('network', `The node serves ${network}`)
    : failed(
        'network',
        `The node serves ${networkId}, not ${network}`,
        `Set network to '${networkId}', or url to a node of ${network}.`,
      )

const checkSynced = ({ isSynced }: Info, network: ChainNetwork): DiagnosisCheck =>
  isSynced
    ? passed('synced', 'The node is synced')
    : failed(
        'synced',
        'The node is still syncing with its network',
        isPublic(network)
          ? 'Wait until it is synced, or set another url.'
          : 'Mine a block: it is not synced while its newest block is old.',
      )

const checkUtxoIndex = ({ hasUtxoIndex }: Info): DiagnosisCheck =>
  hasUtxoIndex
    ? passed('utxo-index', 'The node has a UTXO index')
    : failed(
        'utxo-index',
        'The node has no UTXO index: balances and payments do not work',
        'Start the node with --utxoindex, or set url to such a node.',
      )

function checkVersion({ serverVersion }: Info): DiagnosisCheck {
  const missing = Object.entries(SINCE).filter(([, since]) => isOlder(serverVersion, since))
  const names = missing.map(([method, since]) => `${method} (${since})`).join(', ')
  if (isOlder(serverVersion, OLDEST)) {
    return failed('version', `The node has version ${serverVersion}`, `Update the node to ${OLDEST} or later.`, names)
  }
  return missing.length === 0
    ? passed('version', `The node has version ${serverVersion}`)
    : warning('version', `The node has version ${serverVersion}, which lacks methods`, 'Update the node to 2.x.', names)
}

async function checkRoundTrip(
  connection: NodeConnection,
  probes: DiagnosisProbes,
  limits: Limits,
): Promise<DiagnosisCheck> {
  const { scheduler } = probes.platform
  const ping$ = defer(() => {
    const sentAt = scheduler.now()
    return connection.call('ping', {}, limits).pipe(map(() => scheduler.now() - sentAt))
  })
  try {
    const times = await within(ping$.pipe(repeat(PINGS), toArray()), allowing(limits, PINGS), probes)
    const median = Math.round([...times].sort((a, b) => a - b)[PINGS >> 1] ?? 0)
    const summary = `A round trip takes ${median} ms`
    const remedy = 'Use a node that is closer, and check the load of the node and the connection.'
    if (median > VERY_SLOW) return failed('round-trip', summary, remedy)
    return median > SLOW ? warning('round-trip', summary, remedy) : passed('round-trip', summary)
  } catch (error) {
    if (limits.signal.aborted) throw error
    return failed(
      'round-trip',
      'The node does not respond to pings',
      'Restart the node, or set another url.',
      wordsOf(error),
    )
  }
}

/** A bound of several requests in a row. */
const allowing = (limits: Limits, requests: number): Limits => ({ ...limits, timeout: requests * limits.timeout })

/** Reads the score until it changes. Nodes of simnet and devnet may have no miner. */
async function checkScore(
  connection: NodeConnection,
  { virtualDaaScore }: Info,
  probes: DiagnosisProbes,
  limits: Limits,
): Promise<DiagnosisCheck> {
  const { scheduler } = probes.platform
  const deadline = scheduler.now() + SCORE_WAIT
  const score$ = defer(() => connection.call('getServerInfo', {}, limits)).pipe(
    map((info) => ({ score: info.virtualDaaScore, isLate: scheduler.now() >= deadline })),
    repeat({ delay: () => timer(SCORE_INTERVAL, scheduler) }),
    first(({ score, isLate }) => score !== virtualDaaScore || isLate),
  )
  try {
    const { score } = await within(score$, allowing(limits, 2), probes)
    if (score !== virtualDaaScore) return passed('daa-score', `The DAA score is moving: ${score}`)
    return isPublic(probes.target.network)
      ? failed(
          'daa-score',
          `The DAA score has been ${score} for ${SCORE_WAIT} ms`,
          'The node no longer follows its network: check its peers and its clock, or set another url.',
        )
      : warning('daa-score', `The DAA score has been ${score} for ${SCORE_WAIT} ms`, 'Start a miner, or mine by hand.')
  } catch (error) {
    if (limits.signal.aborted) throw error
    const remedy = 'Restart the node, or set another url.'
    return failed('daa-score', 'The node does not return its DAA score', remedy, wordsOf(error))
  }
}

const isPublic = (network: ChainNetwork): boolean => network !== 'simnet' && network !== 'devnet'

/** Compares this clock with the node's, which is assumed to have been read half a round trip ago. */
async function checkClock(
  connection: NodeConnection,
  probes: DiagnosisProbes,
  limits: Limits,
): Promise<DiagnosisCheck> {
  const { now } = probes.platform
  const sentAt = now()
  try {
    const { serverTime } = await within(connection.call('getMetrics', METRICS, limits), limits, probes)
    const receivedAt = now()
    const difference = Math.round(Number(serverTime) - (sentAt + receivedAt) / 2)
    const summary = `The node's clock is ${Math.abs(difference)} ms ${difference < 0 ? 'behind' : 'ahead of'} this one`
    const remedy = 'Set the clock of this machine and of the node by NTP.'
    if (Math.abs(difference) > CLOCK_FAILURE) return failed('clock', summary, remedy)
    return Math.abs(difference) > CLOCK_WARNING ? warning('clock', summary, remedy) : passed('clock', summary)
  } catch (error) {
    if (limits.signal.aborted) throw error
    return skipped('clock', `The node does not return its time: ${wordsOf(error)}`)
  }
}

/** Only the time, which is always part of it. */
const METRICS = {
  processMetrics: false,
  connectionMetrics: false,
  bandwidthMetrics: false,
  consensusMetrics: false,
  storageMetrics: false,
  customMetrics: false,
}
