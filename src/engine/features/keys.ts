import { createKeys, type KeyOperations } from '../../operations/keys/keys.js'
import type { ChainCore } from '../core.js'

/** Keys, phrases, addresses and messages, by the core's WASM module. */
export const keys = ({ wasm }: ChainCore): KeyOperations => createKeys((operation) => wasm.sdk(operation))
