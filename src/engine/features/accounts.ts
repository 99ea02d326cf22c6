import { loadCode, onceLoaded } from '../../loading/load-code.js'
import type { Accounts } from '../../streams/accounts/accounts.js'
import type { ChainCore } from '../chain-core.js'
import { partsOf } from '../core-parts.js'

/** Accounts of extended public keys. Their code is loaded with the first one. */
export function accounts(core: ChainCore): Accounts {
  const parts = partsOf(core)
  const load = onceLoaded(() => loadCode(() => import('../open-account.js')))
  return {
    fromExtendedPublicKey: async (text, options = {}) => {
      const { openAccount } = await load()
      return openAccount(parts, text, options)
    },
  }
}
