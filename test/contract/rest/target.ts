import { createDevnode } from '../../../src/devnode/create-devnode.js'
import { encodeAddress } from '../../../src/model/address.js'
import { NETWORKS, type ChainNetwork } from '../../../src/model/network.js'
import { createRestClient, type ChainRestClient } from '../../../src/rest/client.js'

/** The server that every sentence must hold of. */
export interface Target {
  readonly name: string
  readonly rest: ChainRestClient
  /** An address that nobody has ever used. */
  readonly stranger: string
  /** How long one sentence may take, in ms. */
  readonly patience: number
  close(): Promise<void>
}

/** The server at CHAIN_REST_URL, else a devnode with a little history. */
export async function openTarget(): Promise<Target> {
  const url = process.env.CHAIN_REST_URL
  if (url !== undefined && url !== '') {
    return { name: url, ...(await clientOf(url)), patience: 300_000, close: () => Promise.resolve() }
  }
  const devnode = await createDevnode({ blockInterval: 0 })
  const [account] = devnode.accounts
  if (account !== undefined) await devnode.fund(account.address, 5_000_000_000n)
  await devnode.mine(30, { parallel: 2 })
  return { name: 'devnode', ...(await clientOf(devnode.urls.rest)), patience: 60_000, close: () => devnode.close() }
}

/** A client that knows which network the server is of. A public one may be slow, and may count who asks how often. */
async function clientOf(baseUrl: string): Promise<Pick<Target, 'rest' | 'stranger'>> {
  const patient = { baseUrl, timeout: 120_000, retries: 6, retryDelay: 1_000, concurrency: 2 }
  const { networkName } = await createRestClient(patient).getBlockDag()
  const network = networkName.replace(/^kaspa-/, '') as ChainNetwork
  const rest = createRestClient({ ...patient, network })
  const payload = crypto.getRandomValues(new Uint8Array(32))
  return { rest, stranger: encodeAddress(NETWORKS[network].addressPrefix, 'PubKey', payload) }
}
