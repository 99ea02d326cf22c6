import { createFakeWalletA, createTestPage, createTestWallets, type FakeWalletA } from 'vue-chain/testing'
import { createMemoryDevnode, type MemoryDevnode, type MemoryDevnodeOptions } from 'vue-chain/devnode/memory'
import { light } from 'vue-chain/light'
import type { VueChainOptions } from 'vue-chain'
import type { StoredPaymentRequest } from 'vue-chain/streams'

/** The start of an example's app: what its component gets as props, where it declares them. */
export interface ExampleProps {
  /** A funded account. */
  readonly address: string
  readonly from: string
  readonly privateKey: string
  /** A second account. */
  readonly to: string
  /** An account that has received nothing. */
  readonly shop: string
  /** A request of 1 KAS from the second account. */
  readonly stored: StoredPaymentRequest
  readonly request: StoredPaymentRequest
  /** The latest payment from the first account, or to it. */
  readonly id: string
}

/** A network that runs in this page: node, miner, indexer and a browser wallet, without a request to any host. */
export interface PageNetwork {
  readonly devnode: MemoryDevnode
  readonly wallet: FakeWalletA
  /** Options of the plugin, for an app on this network. */
  readonly options: VueChainOptions
  readonly props: ExampleProps
  close(): void
}

export interface PageNetworkOptions extends Pick<MemoryDevnodeOptions, 'blockInterval' | 'onRefused'> {
  /** Payments to the first account before the start. @default 25, so that lists have more than one page */
  readonly payments?: number
}

const AMOUNT = 200_000_000n

/** Of the test mnemonic, index 100. */
const SHOP = 'kaspasim:qqnaxwvdq2juse63h5v5mryr7f0xjnt2fphlyuetcjx3yz8ungntkwe8k7u3s'

/** Starts a network whose first account has received some payments. */
export async function startPageNetwork({ payments = 25, ...options }: PageNetworkOptions = {}): Promise<PageNetwork> {
  const devnode = createMemoryDevnode(options)
  const [own, other] = devnode.accounts
  if (own === undefined || other === undefined) throw new Error('A devnode has ten accounts.')
  let id = ''
  for (let count = 0; count < payments; count++) id = await devnode.fund(own.address, AMOUNT)
  const page = createTestPage()
  const wallet = createFakeWalletA({ devnode, page, checkIn: 0, memory: 'none' })
  wallet.install()
  const devnet = createMemoryDevnode({ network: 'devnet' })
  const { engineOptions } = devnode
  const stored = requestOf(devnode, other.address)
  return {
    devnode,
    wallet,
    options: {
      ...engineOptions,
      sdk: light, // keys without WASM
      reconnect: { baseDelay: 500 },
      ports: { platform: withDevnet(devnode, devnet), wallets: createTestWallets(page) },
    },
    props: {
      address: own.address,
      from: own.address,
      privateKey: own.privateKeyHex,
      to: other.address,
      shop: SHOP,
      stored,
      request: stored,
      id,
    },
    close: () => void Promise.all([devnode.close(), devnet.close()]),
  }
}

/** A request as a server stores it. */
const requestOf = ({ expected, network }: MemoryDevnode, address: string): StoredPaymentRequest => ({
  network,
  address,
  amount: '100000000',
  tolerance: '0',
  confirmations: 10,
  createdAt: String(expected.virtualDaaScore()),
  expiresAt: Date.now() + 15 * 60_000,
  label: 'Shop',
})

/** Where engines expect a devnet: Borsh on this machine. */
const DEVNET_URL = 'ws://127.0.0.1:17610'

/** A platform that also reaches a devnet in memory, to which an app may switch. */
function withDevnet(
  { engineOptions }: MemoryDevnode,
  devnet: MemoryDevnode,
): MemoryDevnode['engineOptions']['ports']['platform'] {
  const { platform } = engineOptions.ports
  const other = devnet.engineOptions
  return {
    ...platform,
    openSocket: (url) =>
      url.startsWith(DEVNET_URL) ? other.ports.platform.openSocket(other.url) : platform.openSocket(url),
  }
}
