import { VirtualTimeScheduler } from 'rxjs'
import type { SocketEvent } from '../../engine/recorder/memory.js'
import type { RecordedEvent } from '../../engine/recorder/recording.js'
import type { ChainEngineOptions } from '../../engine/options.js'
import { fromBase64 } from '../../model/base64.js'
import type { NodePort } from '../../node/port.js'
import type { PlatformSocket } from '../../platform/port.js'
import { createNodePort } from '../../wrpc/client.js'
import { createTestPlatform, type TestPlatform } from '../platform.js'
import { identify, createReplaySocket, findConfirmation, type ReplaySocket } from './replay-socket.js'
import { readRecording } from './read-recording.js'

/** A recorded run as a node: every dial takes the next recorded socket. */
export interface ReplayNode extends NodePort {
  /** The options of an engine that plays the recording: those of the recorded one, with this node and `platform`. */
  readonly options: ChainEngineOptions
  /** Virtual time, which only `play` advances. */
  readonly platform: TestPlatform
  /**
   * Plays the recording to its end, in virtual time; resolves after it. Create the engine and subscribe to what the
   * recorded app used before. Responses wait for their requests, so that the order of responses and notifications is
   * the recorded one; requests that the engine does not send are left out after a second. Calls after the first do
   * nothing.
   */
  play(): Promise<void>
}

/** Real ms that a recorded request is waited for: code of the engine may still be loading. */
const REQUEST_TIMEOUT = 1_000

/**
 * Turns of the event loop that it is waited for at least: a busy machine may give this process none within the time.
 */
const LEAST_TURNS = 300

/** The longest timer, ms. */
const NEVER = 2 ** 31 - 1

/** Virtual ms without a dial after which the engine has turned out not to dial again. */
const LONGEST_DISCONNECT = 120_000

/** Virtual ms that are played after the last event, so that the frames of a page that it started run. */
const AFTERMATH = 50

/**
 * A node that replays a recording of `createRecorder({ captureFrames: true })`, raw frames in both encodings, so that a
 * user's bug becomes a test. Only the connection to the node is replayed. Throws `ChainError` (`malformed`) for a
 * recording that is cut short, from a newer version, or without frames.
 * @example
 * const replay = createReplayNode(await readFile('bug-report.json', 'utf8'))
 * const engine = createChainEngine(replay.options)
 * engine.utxos([address]).state$.subscribe((state) => states.push(state))
 * await replay.play()
 */
export function createReplayNode(recording: string): ReplayNode {
  const { frames, engines, records } = readRecording(recording)
  const scheduler = new VirtualTimeScheduler()
  const sockets = frames.sockets.map(({ events }) => events.map(toSocketEvent))
  if (sockets.at(-1)?.at(-1)?.type === 'ended') sockets.at(-1)?.pop() // by the end of the recorded app
  const unused = [...sockets]
  const randoms = [...frames.randoms]
  const random = (): number => randoms.shift() ?? 0
  const confirmation = findConfirmation(sockets)
  let current: { readonly replayed: ReplaySocket; readonly startedAt: number } | null = null
  /** Operations that the client has turned out not to send on the current socket. */
  const unsent = new Set<string>()

  /** Beyond the recorded sockets none opens. */
  function openSocket(): Promise<PlatformSocket> {
    const events = unused.shift() ?? []
    const replayed = createReplaySocket(events, confirmation)
    unsent.clear()
    current = { replayed, startedAt: scheduler.now() }
    return Promise.resolve(replayed.socket)
  }
  const platform: TestPlatform = { ...createTestPlatform({ scheduler, random }), openSocket }
  platform.shiftClock(records[0]?.at ?? 0)
  const node = createNodePort(platform)
  const [options] = engines
  let isPlayed = false

  /** Runs everything that is due until then. */
  function advanceTo(time: number): void {
    scheduler.maxFrames = time
    scheduler.flush()
    scheduler.frame = Math.max(scheduler.frame, time)
  }

  /**
   * Plays the next timer or the next event of the current socket, whichever is due first; until `limit` where there is
   * none.
   */
  async function step(limit: number): Promise<void> {
    const timer = nextTimer(scheduler)
    const event = current?.replayed.next() ?? null
    if (current === null || event === null) {
      advanceTo(Math.min(timer ?? limit, limit))
      return
    }
    const { replayed, startedAt } = current
    const due = startedAt + event.at
    if (timer !== null && timer < due) {
      advanceTo(timer)
      return
    }
    advanceTo(due)
    if (replayed.isWaiting()) await untilSent(replayed, operationOf(event), unsent)
    replayed.advance()
  }

  async function play(): Promise<void> {
    if (isPlayed) return
    isPlayed = true
    let hadNext = false
    for (let lastEvent = scheduler.now(); ;) {
      await settle()
      const hasNext = (current?.replayed.next() ?? null) !== null
      if (hasNext || hadNext) lastEvent = scheduler.now() // after the last event too
      if (hadNext && !hasNext && unused.length === 0) await settle(LEAST_TURNS) // what follows from the last responses
      hadNext = hasNext
      const end = lastEvent + (unused.length === 0 ? AFTERMATH : LONGEST_DISCONNECT)
      if (scheduler.now() >= end) return
      await step(end)
    }
  }
  return {
    dial: (endpoint) => node.dial(endpoint),
    platform,
    options: {
      network: options?.network,
      encoding: options?.encoding,
      url: 'ws://replayed',
      connectTimeout: NEVER, // a recorded timeout ends the recorded socket
      requestTimeout: options?.requestTimeout,
      reconnect: { ...options?.reconnect, maxRetries: Infinity },
      heartbeat: false, // likewise
      ports: { node, platform },
    },
    play,
  }
}

/**
 * Waits for a request; once for each operation that the client turns out not to send. Where code was loading in the
 * recorded app, the client may first subscribe to what that one did later: without a confirmation it would send nothing
 * else.
 */
async function untilSent(replayed: ReplaySocket, operation: string, unsent: Set<string>): Promise<void> {
  if (unsent.has(operation)) return
  do await untilSentOrLate(replayed)
  while (replayed.isWaiting() && replayed.confirm())
  if (replayed.isWaiting()) unsent.add(operation)
}

async function untilSentOrLate(replayed: ReplaySocket): Promise<void> {
  const deadline = Date.now() + REQUEST_TIMEOUT
  for (let turns = 0; replayed.isWaiting() && (turns < LEAST_TURNS || Date.now() < deadline); turns++) await settle()
}

/** The method of a request, as its first bytes or characters. */
const operationOf = (event: SocketEvent): string =>
  'data' in event ? (identify(event.data)?.content.slice(0, typeof event.data === 'string' ? 24 : 1) ?? '') : ''

/** Lets promises and loads continue. */
async function settle(turns = 1): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setTimeout(resolve))
}

/** When the next timer fires, virtual ms. */
const nextTimer = ({ actions }: VirtualTimeScheduler): number | null => actions[0]?.delay ?? null

function toSocketEvent(event: RecordedEvent): SocketEvent {
  switch (event[1]) {
    case 'opened':
    case 'ended':
      return { at: event[0], type: event[1] }
    case 'closed':
      return { at: event[0], type: 'closed', code: event[2] }
    default:
      return { at: event[0], type: event[1], data: event[2] === 'text' ? event[3] : fromBase64(event[3]) }
  }
}
