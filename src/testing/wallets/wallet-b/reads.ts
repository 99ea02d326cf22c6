import { addressOf, demandConnection, type Kastle } from './extension.js'
import { PROFILES } from './profile.js'

/** The methods that open no window. They answer while the wallet is locked, too. */
export const READS: Readonly<Record<string, (kastle: Kastle) => unknown>> = {
  'kas:get_version': ({ profile }) => PROFILES[profile].version,
  'kas:get_network': ({ vault }) => vault.state.network,
  'kas:get_account': (kastle) => {
    demandConnection(kastle)
    const { publicKey, uncompressedKey } = kastle.vault.account
    return {
      address: addressOf(kastle),
      publicKey: kastle.answers.publicKey === 'compressed' ? publicKey : uncompressedKey,
    }
  },
  'kas:get_balance': (kastle) => {
    demandConnection(kastle)
    return { balance: String(kastle.balance) }
  },
  'kas:get_utxo_entries': (kastle) => {
    demandConnection(kastle)
    return { entries: [] }
  },
}
