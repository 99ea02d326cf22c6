import { loadCode, onceLoaded } from '../../loading/load-code.js'
import { deferKeys } from '../../operations/keys/deferred.js'
import type { KeyOperations, VerificationLoader } from '../../operations/keys/keys.js'
import type { ChainCore } from '../chain-core.js'
import { partsOf } from '../core-parts.js'

/** Operations on keys, mnemonics, addresses and messages. The code that needs the SDK loads with it. */
export const keys = (core: ChainCore): KeyOperations & VerificationLoader =>
  deferKeys(
    (operation) => partsOf(core).makeKeys(operation),
    onceLoaded(async () => (await loadCode(() => import('../verification.js'))).verification),
  )
