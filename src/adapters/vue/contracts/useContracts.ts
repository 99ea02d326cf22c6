import { type Contracts, createContracts } from '../../../contracts/create-contracts.js'
import { feature, type CoreParts } from '../../../engine/core-parts.js'
import { useCore } from '../plugin/core.js'
import { joinEngine } from '../../../engine/engine.js'

/**
 * The app's contracts, which plan deployments and calls: those whose instances `useContract` shows. The same object in
 * all components.
 */
export const useContracts = (): Contracts => feature(useCore('useContracts'), appContracts)

/** The contracts of an app: one for all of its components. */
export const appContracts = (core: CoreParts): Contracts => createContracts({ engine: feature(core, joinEngine) })
