import { type ChainEngine, joinEngine } from '../../../engine/engine.js'
import { feature } from '../../../engine/core-parts.js'
import { useCore } from '../plugin/core.js'

/**
 * The app's engine, independent of Vue, for uses without a composable. Disposed with the app; do not call `dispose`.
 */
export const useChainEngine = (): ChainEngine => feature(useCore('useChainEngine'), joinEngine)
