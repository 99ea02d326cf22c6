import { Subject } from 'rxjs'
import { ATTACH } from '../recorder-key.js'
import { invalidOption } from '../check-options.js'
import { createProbe } from './create-probe.js'
import { createFrames, createRing, type CapturedSocket, type Frames, type SocketEvent } from './memory.js'
import type { Attach, ObservedOptions } from './probe.js'
import type { Recorder, FlightRecord } from './recorder.js'
import {
  type RecordedOptions,
  RECORDING_FORMAT,
  RECORDING_VERSION,
  type RecordedEvent,
  type RecordedFrames,
  type RecordedSocket,
  type Recording,
} from './recording.js'
import { toBase64 } from '../../model/base64.js'
import { toLosslessJson } from '../../model/lossless-json.js'
import { describeRuntime } from '../../platform/detect.js'
import { toEndpoint } from './masks.js'

export interface RecorderOptions {
  /** How many records are kept. @default 2000 */
  readonly size?: number | undefined
  /** Keep raw frames too, for `createReplayNode` of `vue-chain/testing`. @default false */
  readonly captureFrames?: boolean | undefined
  /**
   * Bytes of frames that are kept, with 64 more for each; sockets are dropped whole, oldest first. @default 64 MiB
   */
  readonly maxFrameBytes?: number | undefined
}

/** Engines whose options are kept: a server may create one for each request, all with the recorder of its program. */
const ENGINES = 20

/**
 * Creates a flight recorder, the option `recorder` of an engine or the plugin. It never holds a key, a mnemonic, a
 * signature or a message. Memory is bounded. Throws `ChainError` (`invalid-option`).
 * @example
 * const recorder = createRecorder()
 * const engine = createChainEngine({ network: 'mainnet', recorder })
 * // later, for a bug report:
 * console.log(recorder.export())
 */
export function createRecorder(options: RecorderOptions = {}): Recorder {
  const { size = 2_000, captureFrames = false, maxFrameBytes = 64 * 2 ** 20 } = options
  checkSize('size', size)
  checkSize('maxFrameBytes', maxFrameBytes)
  const ring = createRing<FlightRecord>(size)
  const frames = captureFrames ? createFrames(maxFrameBytes) : null
  const engines = createRing<RecordedOptions>(ENGINES)
  const records$ = new Subject<FlightRecord>()
  const push = (record: FlightRecord): void => {
    ring.push(record)
    records$.next(record)
  }
  const attach: Attach = (attached) => {
    engines.push(toRecordedOptions(attached)) // the options themselves hold credentials, and the app's objects
    return createProbe(push, frames)
  }
  return {
    records$: records$.asObservable(),
    records: () => ring.items(),
    export: (exported = {}) =>
      exportRecording({
        engines: engines.items(),
        records: ring.items(),
        dropped: ring.dropped(),
        frames: exported.frames === true ? frames : null,
      }),
    clear: () => {
      ring.clear()
      frames?.clear()
    },
    [ATTACH]: attach,
  }
}

function checkSize(option: string, value: number): void {
  if (!Number.isInteger(value) || value < 1) throw invalidOption(option, value, 'a whole number, 1 or more')
}

const WARNING = 'The frames contain addresses, balances and signed transactions. Share them only with people you trust.'

interface ExportSource {
  readonly engines: readonly RecordedOptions[]
  readonly records: readonly FlightRecord[]
  readonly dropped: number
  /** Null: the frames stay out. */
  readonly frames: Frames | null
}

/** The recording as JSON. */
function exportRecording({ engines, records, dropped, frames }: ExportSource): string {
  const recording: Recording = {
    format: RECORDING_FORMAT,
    version: RECORDING_VERSION,
    library: LIBRARY_VERSION,
    exportedAt: new Date().toISOString(),
    platform: describeRuntime(),
    engines,
    dropped,
    records,
    ...(frames === null ? {} : { frames: toRecordedFrames(frames) }),
  }
  return toLosslessJson(recording)
}

/** What a recording shows of an engine's options, which are not kept. */
function toRecordedOptions(options: ObservedOptions): RecordedOptions {
  const { network, encoding, url, urls = [], resolver, resolvers, rest, restUrl, sdk, ports = {} } = options
  const { maxRetries } = options.retryPolicy
  const restBase = restUrl ?? rest?.baseUrl
  return {
    network,
    encoding,
    urls: [...(url === undefined ? [] : [url]), ...urls].map(toEndpoint),
    resolver: resolver ?? null,
    resolvers: resolvers?.map(toEndpoint) ?? null,
    autoConnect: options.autoConnect,
    connectTimeout: options.connectTimeout,
    requestTimeout: options.requestTimeout,
    maxFrameSize: options.maxFrameSize ?? null,
    reconnect: { ...options.retryPolicy, maxRetries: isFinite(maxRetries) ? maxRetries : 'Infinity' },
    heartbeat: options.heartbeatPolicy === null ? null : { ...options.heartbeatPolicy },
    restUrl: restBase === undefined ? null : toEndpoint(restBase),
    sdk: sdk === undefined ? 'wasm' : typeof sdk === 'object' ? 'light' : 'custom',
    ports: (['node', 'sdk', 'wallets', 'platform'] as const).filter((name) => ports[name] !== undefined),
  }
}

const toRecordedFrames = (frames: Frames): RecordedFrames => ({
  warning: WARNING,
  droppedSockets: frames.dropped(),
  sockets: frames.sockets().map(toRecordedSocket),
  randoms: frames.randoms,
})

const toRecordedSocket = ({ events, state }: CapturedSocket): RecordedSocket => ({
  isCut: state === 'cut',
  events: events.map(toRecordedEvent),
})

function toRecordedEvent(event: SocketEvent): RecordedEvent {
  switch (event.type) {
    case 'opened':
    case 'ended':
      return [event.at, event.type]
    case 'closed':
      return [event.at, event.type, event.code]
    default:
      return typeof event.data === 'string'
        ? [event.at, event.type, 'text', event.data]
        : [event.at, event.type, 'base64', toBase64(event.data)]
  }
}

/** The version of this library, as in package.json. */
export const LIBRARY_VERSION = '0.1.0'
