import { loadCode } from '../../loading/load-code.js'
import { onceLoaded } from '../../loading/once-loaded.js'
import type { Accounts } from '../../streams/accounts/records.js'
import type { ChainCore } from '../core.js'

/** Accounts of extended public keys. Their code is loaded with the first one. */
export function accounts(core: ChainCore): Accounts {
  const issued = new Map<string, number>()
  const load = onceLoaded(() => loadCode(() => import('../open-account.js')))
  return {
    fromExtendedPublicKey: async (text, options = {}) => {
      const { openAccount } = await load()
      return openAccount(core, issued, text, options)
    },
  }
}
