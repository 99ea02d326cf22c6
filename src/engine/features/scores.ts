import { createScores, type Scores } from '../../streams/scores.js'
import type { ChainCore } from '../core.js'

/** The virtual DAA score and the sink's blue score. */
export const scores = (core: ChainCore): Scores => createScores(core)
