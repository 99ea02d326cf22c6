import { ATTACH } from './recorder-key.js'
import type { Attach, ObservedOptions, Probe } from './recorder/probe.js'
import type { Recorder } from './recorder/recorder.js'

/** Whether `recorder` was made by `createRecorder`. */
export const isRecorder = (recorder: unknown): recorder is { readonly [ATTACH]: Attach } =>
  typeof recorder === 'object' && recorder !== null && ATTACH in recorder && typeof recorder[ATTACH] === 'function'

/** What observes a new engine; undefined without a recorder. */
export const attachRecorder = (recorder: Recorder | false | undefined, options: ObservedOptions): Probe | undefined =>
  isRecorder(recorder) ? recorder[ATTACH](options) : undefined
