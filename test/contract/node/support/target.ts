import type { DevnodeBase } from '../../../../src/devnode/devnode.js'
import { createDevnode } from '../../../../src/devnode/index.js'
import { createMemoryDevnode } from '../../../../src/devnode/memory/create-memory-devnode.js'
import { isChainNetwork, NETWORKS, type NetworkParams } from '../../../../src/model/network.js'
import type { WireCodec } from '../../../../src/wrpc/codec.js'
import { createBorshCodec } from '../../../../src/wrpc/borsh/codec.js'
import { createJsonCodec } from '../../../../src/wrpc/json/codec.js'
import { connectBy, type TestClient } from './client.js'
import { createSharedOrigin } from '../../../wrpc/shared/shared-origin.js'
import { openNode, type NodeUnderTest } from './node-under-test.js'
import { accountOf } from './payment.js'
import { connectByPort } from './port-client.js'
import { openMemorySocket } from './test-socket.js'
import { openUtxoSupply, type UtxoSupply } from './utxo-supply.js'

/** The tested node, in each of its encodings. */
export interface Target {
  readonly name: string
  readonly nodes: readonly NodeUnderTest[]
  close(): Promise<void> | void
}

/**
 * The node of the environment, otherwise a devnode: `CHAIN_NODE_URL` (Borsh), `CHAIN_NODE_JSON_URL`,
 * `CHAIN_NODE_NETWORK` (simnet), `CHAIN_NODE_KEY` (a funded key; without one the tests mine to a key of their own).
 */
export async function openTarget(): Promise<Target> {
  const {
    CHAIN_NODE_URL: borsh,
    CHAIN_NODE_JSON_URL: json,
    CHAIN_NODE_NETWORK: name = 'simnet',
    CHAIN_NODE_KEY: key,
  } = process.env
  if (!isChainNetwork(name)) throw new Error(`CHAIN_NODE_NETWORK is no network: ${name}`)
  if (borsh === undefined && json === undefined) return openDevnode()
  const nodes = await openNodes([borsh, json], NETWORKS[name], key ?? '33'.repeat(32))
  return { name: borsh ?? json ?? '', nodes, close: () => nodes.forEach(({ client }) => client.close()) }
}

/** A devnode without sockets. */
export async function openMemoryDevnode(): Promise<Target> {
  const devnode = createMemoryDevnode(FUNDED)
  const { borsh, json } = devnode.urls
  const nodes = await openNodes([borsh, json], NETWORKS.simnet, keyOf(devnode), (url, codec) =>
    connectBy(openMemorySocket(devnode), url, codec),
  )
  return { name: 'devnode in memory', nodes, close: () => devnode.close() }
}

/** The same over virtual connections: each client is a tab of one origin, with one socket for each encoding. */
export async function openSharedDevnode(): Promise<Target & { readonly connections: () => number }> {
  const devnode = createMemoryDevnode(FUNDED)
  const { borsh, json } = devnode.urls
  const origin = createSharedOrigin(devnode.engineOptions.ports.platform)
  const nodes = await openNodes([borsh, json], NETWORKS.simnet, keyOf(devnode), (url, { encoding }) =>
    connectByPort(origin.openTab().port, { url, encoding }),
  )
  const close = async (): Promise<void> => {
    origin.close()
    await devnode.close()
  }
  return { name: 'devnode through a shared worker', nodes, connections: () => devnode.connections().length, close }
}

async function openDevnode(): Promise<Target> {
  const devnode = await createDevnode(FUNDED)
  const nodes = await openNodes([devnode.urls.borsh, devnode.urls.json], NETWORKS.simnet, keyOf(devnode))
  return { name: 'devnode', nodes, close: () => devnode.close() }
}

const FUNDED = { blockInterval: 0, accounts: 1, balance: 10n ** 14n }

const keyOf = ({ accounts }: DevnodeBase): string => accounts[0]?.privateKeyHex ?? ''

async function openNodes(
  [borsh, json]: readonly [string | undefined, string | undefined],
  network: NetworkParams,
  key: string,
  connect?: (url: string, codec: WireCodec) => Promise<TestClient>,
): Promise<readonly NodeUnderTest[]> {
  let supply: Promise<UtxoSupply> | undefined
  const openOnce = (client: TestClient) =>
    (supply ??= openUtxoSupply(client, accountOf(key, network.addressPrefix), network))
  const ways: readonly [string | undefined, WireCodec][] = [
    [borsh, createBorshCodec()],
    [json, createJsonCodec()],
  ]
  return Promise.all(
    ways.flatMap(([url, codec]) =>
      url === undefined ? [] : [openNode(url, codec, network, openOnce, connect && (() => connect(url, codec)))],
    ),
  )
}
