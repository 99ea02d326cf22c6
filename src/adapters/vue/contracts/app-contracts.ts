import { createContracts, type Contracts } from '../../../contracts/create-contracts.js'
import { type CoreParts, feature } from '../../../engine/core-parts.js'
import { joinEngine } from '../../../engine/engine.js'

/** The contracts of an app: one for all of its components. */
export const appContracts = (core: CoreParts): Contracts => createContracts({ engine: feature(core, joinEngine) })
