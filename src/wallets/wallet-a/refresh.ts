import { readSnapshot } from '../read-snapshot.js'
import type { WalletSnapshot } from '../port.js'
import type { Provider } from '../provider.js'
import { firstAccount } from '../reading/accounts.js'
import { keyOfAddress } from '../reading/key-of-address.js'
import { readPublicKey } from '../reading/public-key.js'
import type { WalletEnvironment } from '../environment.js'
import { readNetwork } from './network-names.js'
import { callIfPresent } from './call-if-present.js'
import type { ShownAccounts } from './shown-accounts.js'

/** What KasWare exposes to this site without a prompt. */
export const refreshKasware = (
  provider: Provider,
  shown: ShownAccounts,
  environment: WalletEnvironment,
): Promise<WalletSnapshot> => readSnapshot(() => fetchSnapshot(provider, shown), environment)

async function fetchSnapshot(provider: Provider, shown: ShownAccounts): Promise<WalletSnapshot> {
  const [accounts, name, key] = await Promise.all([
    shown.read(),
    callIfPresent(provider, 'connect', 'getNetwork'),
    callIfPresent(provider, 'connect', 'getPublicKey'),
  ])
  const address = firstAccount(accounts)
  const network = readNetwork(name)
  if (address !== null) {
    const publicKey = readPublicKey(key) ?? keyOfAddress(address) // some compatible wallets lack `getPublicKey`
    return { status: 'open', account: { address, network, publicKey } }
  }
  // a locked wallet reports its network to a permitted site
  return { status: network === null ? 'disconnected-by-wallet' : 'locked' }
}
