import { readSnapshot } from '../read-snapshot.js'
import type { WalletSnapshot } from '../port.js'
import { invoke, isProvider, type Provider } from '../provider.js'
import { readPublicKey } from '../reading/public-key.js'
import type { WalletEnvironment } from '../environment.js'
import { fetchNetwork } from './fetch-network.js'

/** What Kastle exposes to this site without a prompt, the same whether locked or not. */
export const refreshKastle = (provider: Provider, environment: WalletEnvironment): Promise<WalletSnapshot> =>
  readSnapshot(() => fetchSnapshot(provider), environment)

async function fetchSnapshot(provider: Provider): Promise<WalletSnapshot> {
  const [account, network] = await Promise.all([invoke(provider, 'connect', 'getAccount'), readNetwork(provider)])
  if (!isProvider(account) || typeof account.address !== 'string') return { status: 'disconnected-by-wallet' }
  return { status: 'open', account: { address: account.address, publicKey: readPublicKey(account.publicKey), network } }
}

/** Null if unknown. */
async function readNetwork(provider: Provider): Promise<string | null> {
  const network = await fetchNetwork(provider)
  return typeof network === 'string' && network !== '' ? network : null
}
