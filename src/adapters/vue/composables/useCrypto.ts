import { feature } from '../../../engine/feature.js'
import { keys } from '../../../engine/features/keys.js'
import type { KeyOperations } from '../../../operations/keys/keys.js'
import { useCore } from '../plugin/core.js'

export type UseCryptoReturn = KeyOperations

/**
 * Keys, phrases, addresses, messages and amounts. What needs the WASM module throws `ChainNotReadyError` before it is
 * ready; amounts and `isValidAddress` never need it.
 */
export const useCrypto = (): UseCryptoReturn => feature(useCore('useCrypto'), keys)
