import { createScores, type Scores } from '../../streams/scores.js'
import type { ChainCore } from '../chain-core.js'
import { partsOf } from '../core-parts.js'

/** The virtual DAA score and the sink's blue score. */
export const scores = (core: ChainCore): Scores => createScores(partsOf(core))
