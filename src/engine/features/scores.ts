import { createScores, type Scores } from '../../streams/scores.js'
import type { ChainCore } from '../core.js'

/** The network's two clocks. */
export const scores = (core: ChainCore): Scores => createScores(core)
