import { Subject } from 'rxjs'
import { ATTACH } from '../recorder-key.js'
import { invalidOption } from '../invalid-option.js'
import { createProbe } from './create-probe.js'
import { exportRecording, toRecordedOptions } from './export-recording.js'
import { createFrames } from './frames.js'
import type { Attach } from './observed-options.js'
import type { Recorder } from './recorder.js'
import type { RecordedOptions } from './recording.js'
import type { FlightRecord } from './records.js'
import { createRing } from './ring.js'

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
