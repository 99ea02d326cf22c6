import { deferKeys } from '../../operations/keys/deferred.js'
import type { KeyOperations } from '../../operations/keys/keys.js'
import type { ChainCore } from '../core.js'

/** Keys, phrases, addresses and messages, by the core's WASM module. What needs the module is fetched with it. */
export const keys = (core: ChainCore): KeyOperations => deferKeys((operation) => core.makeKeys(operation))
