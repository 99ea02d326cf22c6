import { toBase64 } from '../../model/base64.js'
import { toLosslessJson } from '../../model/lossless-json.js'
import { describeRuntime } from '../../platform/detect.js'
import type { CapturedSocket, Frames, SocketEvent } from './frames.js'
import { LIBRARY_VERSION } from './library-version.js'
import { toEndpoint } from './masks.js'
import {
  RECORDING_FORMAT,
  RECORDING_VERSION,
  type RecordedEvent,
  type RecordedFrames,
  type RecordedOptions,
  type RecordedSocket,
  type Recording,
} from './recording.js'
import type { ObservedOptions } from './observed-options.js'
import type { FlightRecord } from './records.js'

const WARNING = 'The frames contain addresses, balances and signed transactions. Share them only with people you trust.'

export interface ExportSource {
  readonly engines: readonly RecordedOptions[]
  readonly records: readonly FlightRecord[]
  readonly dropped: number
  /** Null: the frames stay out. */
  readonly frames: Frames | null
}

/** The recording as JSON. */
export function exportRecording({ engines, records, dropped, frames }: ExportSource): string {
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
export function toRecordedOptions(options: ObservedOptions): RecordedOptions {
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
