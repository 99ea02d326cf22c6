import { lookBy } from '../look-by.js'
import type { WalletGlimpse } from '../port.js'
import type { Provider } from '../provider.js'
import { firstAccount } from '../reading/accounts.js'
import { keyOfAddress } from '../reading/key-of-address.js'
import { readPublicKey } from '../reading/public-key.js'
import type { Surroundings } from '../surroundings.js'
import { readNetwork } from './network-names.js'
import { read } from './read.js'
import type { ShownAccounts } from './shown-accounts.js'

/** What KasWare shows this site without a question. */
export const look = (provider: Provider, shown: ShownAccounts, surroundings: Surroundings): Promise<WalletGlimpse> =>
  lookBy(() => glance(provider, shown), surroundings)

async function glance(provider: Provider, shown: ShownAccounts): Promise<WalletGlimpse> {
  const [accounts, name, key] = await Promise.all([
    shown.read(),
    read(provider, 'connect', 'getNetwork'),
    read(provider, 'connect', 'getPublicKey'),
  ])
  const address = firstAccount(accounts)
  const network = readNetwork(name)
  if (address !== null) {
    const publicKey = readPublicKey(key) ?? keyOfAddress(address) // not all of its likes can be asked for it
    return { status: 'open', account: { address, network, publicKey } }
  }
  return { status: network === null ? 'gone' : 'locked' } // a locked wallet still names its network to a site it knows
}
