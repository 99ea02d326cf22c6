import { createDevnode } from '../../../src/devnode/create-devnode.js'
import { encodeAddress } from '../../../src/model/address.js'
import { fromHex } from '../../../src/model/hex.js'
import { NETWORKS, type ChainNetwork } from '../../../src/model/network.js'
import { createRestClient, type ChainRestClient } from '../../../src/rest/client.js'
import { walletOf, walletOfKey, type Wallet } from '../../devnode/ledger/wallet.js'

/** The tested server. */
export interface Target {
  readonly name: string
  readonly rest: ChainRestClient
  /** An address without transactions. */
  readonly unusedAddress: string
  /** Pays from a funded address; undefined where a server is given without CHAIN_REST_KEY. */
  readonly payer: Wallet | undefined
  /** Mines blocks, or waits for them. */
  mine(): Promise<void>
  close(): Promise<void>
}

/** A balance that a double cannot hold, in sompi. */
const LARGE = 3n * 2n ** 53n + 1n

/**
 * The server at CHAIN_REST_URL, which CHAIN_REST_KEY (a private key in hex) pays on; else a devnode with a little
 * history.
 */
export async function openTarget(): Promise<Target> {
  const { CHAIN_REST_URL: url = '', CHAIN_REST_KEY: key = '' } = process.env
  if (url !== '') {
    const { network, ...client } = await clientOf(url)
    const payer = key === '' ? undefined : walletOfKey(fromHex(key), NETWORKS[network].addressPrefix)
    const mine = () => new Promise<void>((done) => setTimeout(done, 1_000))
    return { name: url, ...client, payer, mine, close: () => Promise.resolve() }
  }
  const payer = walletOf(1)
  const devnode = await createDevnode({ blockInterval: 0, utxos: [{ address: payer.address, amount: LARGE }] })
  const [account] = devnode.accounts
  if (account !== undefined) await devnode.fund(account.address, 5_000_000_000n)
  await devnode.mine(30, { parallel: 2 })
  const { rest, unusedAddress } = await clientOf(devnode.urls.rest)
  const mine = async () => {
    await devnode.mine(1)
  }
  return { name: 'devnode', rest, unusedAddress, payer, mine, close: () => devnode.close() }
}

interface Client extends Pick<Target, 'rest' | 'unusedAddress'> {
  readonly network: ChainNetwork
}

/** A client that knows the server's network. A public server may be slow and may limit requests. */
async function clientOf(baseUrl: string): Promise<Client> {
  const options = { baseUrl, timeout: 120_000, retries: 6, retryDelay: 1_000, concurrency: 2 }
  const { networkName } = await createRestClient(options).getBlockDag()
  const network = networkName.replace(/^kaspa-/, '') as ChainNetwork
  const rest = createRestClient({ ...options, network })
  const payload = crypto.getRandomValues(new Uint8Array(32))
  return { rest, network, unusedAddress: encodeAddress(NETWORKS[network].addressPrefix, 'PubKey', payload) }
}
