import { addressOf, balanceOf, requireConnection, type Kastle } from './extension.js'
import { PROFILES } from './profile.js'

/** The methods without a prompt; also available while the wallet is locked. */
export const READ_METHODS: Readonly<Record<string, (kastle: Kastle) => unknown>> = {
  'kas:get_version': ({ profile }) => PROFILES[profile].version,
  'kas:get_network': ({ accountState }) => accountState.state.network,
  'kas:get_account': (kastle) => {
    requireConnection(kastle)
    const { publicKey, uncompressedKey } = kastle.accountState.account
    return {
      address: addressOf(kastle),
      publicKey: kastle.behavior.publicKey === 'compressed' ? publicKey : uncompressedKey,
    }
  },
  'kas:get_balance': async (kastle) => {
    requireConnection(kastle)
    return { balance: String(await balanceOf(kastle)) }
  },
  'kas:get_utxo_entries': (kastle) => {
    requireConnection(kastle)
    return { entries: [] }
  },
}
