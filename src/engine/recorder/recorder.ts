import type { Observable } from 'rxjs'
import type { ATTACH } from '../recorder-key.js'
import type { FlightRecord } from './records.js'

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
  /** For engines. */
  readonly [ATTACH]: unknown
}
