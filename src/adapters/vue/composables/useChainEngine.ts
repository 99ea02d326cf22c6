import type { ChainEngine } from '../../../engine/engine.js'
import { joinEngine } from '../../../engine/engine.js'
import { feature } from '../../../engine/feature.js'
import { useCore } from '../plugin/core.js'

/** The app's framework-free engine, whole: for what no composable covers. It ends with the app; nobody else disposes of it. */
export const useChainEngine = (): ChainEngine => feature(useCore('useChainEngine'), joinEngine)
