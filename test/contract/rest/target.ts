import { createDevnode } from '../../../src/devnode/create-devnode.js'
import type { ChainNetwork } from '../../../src/model/network.js'
import { createRestClient, type ChainRestClient } from '../../../src/rest/client.js'

/** The server that every sentence must hold of. */
export interface Target {
  readonly name: string
  readonly rest: ChainRestClient
  close(): Promise<void>
}

/** The server at CHAIN_REST_URL, else a devnode with a little history. */
export async function openTarget(): Promise<Target> {
  const url = process.env.CHAIN_REST_URL
  if (url !== undefined && url !== '') return { name: url, rest: await clientOf(url), close: () => Promise.resolve() }
  const devnode = await createDevnode({ blockInterval: 0 })
  await devnode.mine(30, { parallel: 2 })
  const [account] = devnode.accounts
  if (account !== undefined) await devnode.fund(account.address, 5_000_000_000n)
  await devnode.mine(3)
  return { name: 'devnode', rest: await clientOf(devnode.urls.rest), close: () => devnode.close() }
}

/** A client that knows which network the server is of. */
async function clientOf(baseUrl: string): Promise<ChainRestClient> {
  const { networkName } = await createRestClient({ baseUrl }).getBlockDag()
  return createRestClient({ baseUrl, network: networkName.replace(/^kaspa-/, '') as ChainNetwork, timeout: 60_000 })
}
