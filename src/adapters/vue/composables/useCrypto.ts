import { feature } from '../../../engine/core-parts.js'
import { keys } from '../../../engine/features/keys.js'
import type { KeyOperations, VerificationLoader } from '../../../operations/keys/keys.js'
import { useCore } from '../plugin/core.js'

export type UseCryptoReturn = KeyOperations & VerificationLoader

/**
 * Keys, mnemonics, addresses, messages and amounts. Throws `ChainNotReadyError` before the WASM module is ready;
 * amounts and `isValidAddress` work without it, and `verifyMessage`, `isValidMnemonic` and `createAddress` after
 * `loadVerification()`.
 */
export const useCrypto = (): UseCryptoReturn => feature(useCore('useCrypto'), keys)
