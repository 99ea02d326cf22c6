import type { RecordedEndpoint } from './masks.js'
import type { FlightRecord } from './recorder.js'
import type { ChainNetwork, RpcEncoding } from '../../model/network.js'

/** The version of the format; readers reject newer ones. */
export const RECORDING_VERSION = 1

export const RECORDING_FORMAT = 'vue-chain-recording'

/** What `recorder.export()` writes, as JSON. */
export interface Recording {
  readonly format: 'vue-chain-recording'
  readonly version: number
  /** The version of the library. */
  readonly library: string
  /** ISO 8601. */
  readonly exportedAt: string
  /** The runtime: a browser's user agent, or the version of Node. */
  readonly platform: string
  /** The options of each engine, without credentials; of the 20 newest. */
  readonly engines: readonly RecordedOptions[]
  /** Records that were overwritten by newer ones. */
  readonly dropped: number
  readonly records: readonly FlightRecord[]
  /** Only with `{ frames: true }`. */
  readonly frames?: RecordedFrames
}

/** Options of an engine, without credentials. Objects of the app appear as `custom`. */
export interface RecordedOptions {
  readonly network: ChainNetwork
  readonly encoding: RpcEncoding
  readonly urls: readonly RecordedEndpoint[]
  readonly resolver: boolean | null
  readonly resolvers: readonly RecordedEndpoint[] | null
  readonly autoConnect: boolean
  readonly connectTimeout: number
  readonly requestTimeout: number
  readonly maxFrameSize: number | null
  readonly reconnect: Readonly<Record<string, number | 'Infinity'>>
  readonly heartbeat: Readonly<Record<string, number>> | null
  readonly restUrl: RecordedEndpoint | null
  readonly sdk: 'wasm' | 'light' | 'custom'
  readonly ports: readonly ('node' | 'sdk' | 'wallets' | 'platform')[]
}

/** The raw traffic. */
export interface RecordedFrames {
  /** What the reader of a shared recording must know. */
  readonly warning: string
  /** Sockets that are missing because newer ones needed their memory. */
  readonly droppedSockets: number
  readonly sockets: readonly RecordedSocket[]
  /** The first random numbers of the platform, in their order. */
  readonly randoms: readonly number[]
}

export interface RecordedSocket {
  /** Frames are missing at its end. */
  readonly isCut: boolean
  /** Milliseconds since the socket was requested, what happened, and the frame: text, or bytes in base64. */
  readonly events: readonly RecordedEvent[]
}

export type RecordedEvent =
  | readonly [at: number, type: 'opened' | 'ended']
  | readonly [at: number, type: 'closed', code: number]
  | readonly [at: number, type: 'sent' | 'received', form: 'text' | 'base64', data: string]
