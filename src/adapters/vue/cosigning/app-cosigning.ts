import { createCosigning, type Cosigning } from '../../../cosigning/create-cosigning.js'
import type { CoreParts } from '../../../engine/core-parts.js'
import { joinEngine } from '../../../engine/engine.js'
import { feature } from '../../../engine/feature.js'

/** What several signers of an app share: one for all of its components. */
export const appCosigning = (core: CoreParts): Cosigning => createCosigning({ engine: feature(core, joinEngine) })
