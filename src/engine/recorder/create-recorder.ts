import { Subject, type Observable } from 'rxjs'
import { invalidOption } from '../invalid-option.js'
import type { ResolvedOptions } from '../resolve-options.js'
import { createProbe } from './create-probe.js'
import { exportRecording } from './export-recording.js'
import { createFrames } from './frames.js'
import type { Probe } from './probe.js'
import type { FlightRecord } from './records.js'
import { createRing } from './ring.js'

/** Keeps the newest events of an engine, for a bug report, for metrics, and for DevTools. */
export interface Recorder {
  /** Every record as it is made. Hot; replays nothing, never errors or completes. */
  readonly records$: Observable<FlightRecord>
  /** The newest records, oldest first. */
  readonly records: () => readonly FlightRecord[]
  /**
   * The records, the options without credentials, versions and platform as JSON, to attach to a bug report. With
   * `frames: true` also the raw frames, where they were captured: they contain addresses and signed transactions.
   */
  readonly export: (options?: { readonly frames?: boolean | undefined }) => string
  /** Removes all records and frames. */
  readonly clear: () => void
  /** Called by an engine when it is created. */
  readonly attach: (options: ResolvedOptions) => Probe
}

export interface RecorderOptions {
  /** How many records are kept. @default 2000 */
  readonly size?: number | undefined
  /** Keep raw frames too, for `createReplayNode` of `vue-chain/testing`. @default false */
  readonly captureFrames?: boolean | undefined
  /** Bytes of frames that are kept; sockets are dropped whole, oldest first. @default 64 MiB */
  readonly maxFrameBytes?: number | undefined
}

/**
 * Creates a flight recorder, the option `recorder` of an engine or the plugin. It never holds a key, a mnemonic, a signature
 * or a message. Memory is bounded. Throws `ChainError` (`invalid-option`).
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
  const engines: ResolvedOptions[] = []
  const records$ = new Subject<FlightRecord>()
  const push = (record: FlightRecord): void => {
    ring.push(record)
    records$.next(record)
  }
  return {
    records$: records$.asObservable(),
    records: () => ring.items(),
    export: (exported = {}) =>
      exportRecording({
        engines,
        records: ring.items(),
        dropped: ring.dropped(),
        frames: exported.frames === true ? frames : null,
      }),
    clear: () => {
      ring.clear()
      frames?.clear()
    },
    attach: (attached) => {
      engines.push(attached)
      return createProbe(push, frames)
    },
  }
}

function checkSize(option: string, value: number): void {
  if (!Number.isInteger(value) || value < 1) throw invalidOption(option, value, 'a whole number, 1 or more')
}
