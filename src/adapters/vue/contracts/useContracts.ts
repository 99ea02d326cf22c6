import type { Contracts } from '../../../contracts/create-contracts.js'
import { feature } from '../../../engine/core-parts.js'
import { useCore } from '../plugin/core.js'
import { appContracts } from './app-contracts.js'

/**
 * The app's contracts, which plan deployments and calls: those whose instances `useContract` shows. The same object in
 * all components.
 */
export const useContracts = (): Contracts => feature(useCore('useContracts'), appContracts)
