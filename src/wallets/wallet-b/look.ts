import { lookBy } from '../look-by.js'
import type { WalletGlimpse } from '../port.js'
import { hasMethods, invoke, isProvider, type Provider } from '../provider.js'
import { readPublicKey } from '../reading/public-key.js'
import type { Surroundings } from '../surroundings.js'

/** What Kastle shows this site without a question; a locked one shows as much as an open one. */
export const look = (provider: Provider, surroundings: Surroundings): Promise<WalletGlimpse> =>
  lookBy(() => glance(provider), surroundings)

async function glance(provider: Provider): Promise<WalletGlimpse> {
  const [account, network] = await Promise.all([invoke(provider, 'connect', 'getAccount'), askNetwork(provider)])
  if (!isProvider(account) || typeof account.address !== 'string') return { status: 'gone' }
  const { address } = account
  const publicKey = readPublicKey(account.publicKey)
  return { status: 'open', account: { address, publicKey, network: network ?? networkOf(address) } }
}

/** Before 2.47.0 the network had to be asked for by its general name; null where even that is unknown. */
async function askNetwork(provider: Provider): Promise<string | null> {
  const answer = await askByEither(provider)
  return typeof answer === 'string' && answer !== '' ? answer : null
}

function askByEither(provider: Provider): Promise<unknown> {
  if (hasMethods(provider, 'getNetwork')) return invoke(provider, 'connect', 'getNetwork')
  if (hasMethods(provider, 'request')) return invoke(provider, 'connect', 'request', 'kas:get_network')
  return Promise.resolve(undefined)
}

/** All testnets share a prefix; mainnet has its own. */
const networkOf = (address: string): string | null => (address.startsWith('kaspa:') ? 'mainnet' : null)
