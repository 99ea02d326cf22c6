import { ChainCryptoError } from '../../errors/crypto-error.js'
import { onceLoaded } from '../../loading/once-loaded.js'
import type { Accounts } from '../../streams/accounts/records.js'
import type { ChainCore } from '../core.js'

/** Accounts of extended public keys. Their code is loaded with the first one. */
export function accounts(core: ChainCore): Accounts {
  const issued = new Map<string, number>()
  const load = onceLoaded(loadOpenAccount)
  return {
    fromExtendedPublicKey: async (text, options = {}) => {
      const openAccount = await load()
      return openAccount(core, issued, text, options)
    },
  }
}

async function loadOpenAccount() {
  try {
    const { openAccount } = await import('../open-account.js')
    return openAccount
  } catch (cause) {
    const hint = 'Serve all files of the build, and call it again.'
    throw new ChainCryptoError('fromExtendedPublicKey', cause, { code: 'failed', hint })
  }
}
