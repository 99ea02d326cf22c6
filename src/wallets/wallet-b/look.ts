import { lookBy } from '../look-by.js'
import type { WalletGlimpse } from '../port.js'
import { invoke, isProvider, type Provider } from '../provider.js'
import { readPublicKey } from '../reading/public-key.js'
import type { Surroundings } from '../surroundings.js'
import { askNetwork } from './ask-network.js'

/** What Kastle shows this site without a question; a locked one shows as much as an open one. */
export const look = (provider: Provider, surroundings: Surroundings): Promise<WalletGlimpse> =>
  lookBy(() => glance(provider), surroundings)

async function glance(provider: Provider): Promise<WalletGlimpse> {
  const [account, network] = await Promise.all([invoke(provider, 'connect', 'getAccount'), readNetwork(provider)])
  if (!isProvider(account) || typeof account.address !== 'string') return { status: 'gone' }
  const { address } = account
  const publicKey = readPublicKey(account.publicKey)
  return { status: 'open', account: { address, publicKey, network: network ?? networkOf(address) } }
}

/** Null where even that is unknown. */
async function readNetwork(provider: Provider): Promise<string | null> {
  const answer = await askNetwork(provider)
  return typeof answer === 'string' && answer !== '' ? answer : null
}

/** All testnets share a prefix; mainnet has its own. */
const networkOf = (address: string): string | null => (address.startsWith('kaspa:') ? 'mainnet' : null)
