import { createRecorder } from '../recorder/create-recorder.js'
import type { Recorder } from '../recorder/recorder.js'
import type { ChainEngineOptions } from '../options.js'

/** The recorder of an engine in development: that of its options, none for `recorder: false`, else one of its own. */
export const automaticRecorder = ({ recorder }: ChainEngineOptions): Recorder | false => recorder ?? createRecorder()
