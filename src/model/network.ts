/** The networks this library knows. All testnets share address prefix and RPC ports; they differ only in the id. */
export type ChainNetwork = 'mainnet' | 'testnet-10' | 'testnet-12' | 'simnet' | 'devnet'

/** Every network that `VueChainOptions.network` and `switchNetwork` accept. */
export const AVAILABLE_NETWORKS: readonly ChainNetwork[] = ['mainnet', 'testnet-10', 'testnet-12', 'simnet', 'devnet']

/** The human-readable part of an address. */
export type AddressPrefix = 'kaspa' | 'kaspatest' | 'kaspasim' | 'kaspadev'

/** The wire encodings of the node's RPC. */
export type RpcEncoding = 'Borsh' | 'SerdeJson'

/** Currency units; only mainnet's has monetary value. */
export type CurrencyUnit = 'KAS' | 'TKAS' | 'SKAS' | 'DKAS'

/** Parameters of a network, as of nodes 1.1 and later. */
export interface NetworkParams {
  readonly id: ChainNetwork
  readonly addressPrefix: AddressPrefix
  /** Default wRPC ports of a node. */
  readonly borshPort: number
  readonly jsonPort: number
  /** Average block interval in ms. */
  readonly targetTimePerBlock: number
  /** DAA score between acceptance and spendability of a coinbase output. */
  readonly coinbaseMaturity: bigint
  readonly unit: CurrencyUnit
}

/** 10 blocks per second on all networks, on devnet since 1.1. */
const TEN_BLOCKS_A_SECOND = { targetTimePerBlock: 100, coinbaseMaturity: 1000n } as const

const TESTNET = { addressPrefix: 'kaspatest', borshPort: 17210, jsonPort: 18210, unit: 'TKAS' } as const

/** The parameters of every network, by its id. */
export const NETWORKS: Readonly<Record<ChainNetwork, NetworkParams>> = {
  mainnet: {
    id: 'mainnet',
    addressPrefix: 'kaspa',
    borshPort: 17110,
    jsonPort: 18110,
    unit: 'KAS',
    ...TEN_BLOCKS_A_SECOND,
  },
  'testnet-10': { id: 'testnet-10', ...TESTNET, ...TEN_BLOCKS_A_SECOND },
  'testnet-12': { id: 'testnet-12', ...TESTNET, ...TEN_BLOCKS_A_SECOND },
  simnet: {
    id: 'simnet',
    addressPrefix: 'kaspasim',
    borshPort: 17510,
    jsonPort: 18510,
    unit: 'SKAS',
    ...TEN_BLOCKS_A_SECOND,
  },
  devnet: {
    id: 'devnet',
    addressPrefix: 'kaspadev',
    borshPort: 17610,
    jsonPort: 18610,
    unit: 'DKAS',
    ...TEN_BLOCKS_A_SECOND,
  },
}

/** Whether `value` is a known network id; a bare `testnet` is not. */
export function isChainNetwork(value: unknown): value is ChainNetwork {
  return AVAILABLE_NETWORKS.some((network) => network === value)
}

/** Whether `value` is the address prefix of a known network. */
export function isAddressPrefix(value: unknown): value is AddressPrefix {
  return AVAILABLE_NETWORKS.some((network) => NETWORKS[network].addressPrefix === value)
}

/** The networks whose addresses begin with `prefix`: one, or all the testnets. */
export function networksOfPrefix(prefix: AddressPrefix): readonly ChainNetwork[] {
  return AVAILABLE_NETWORKS.filter((network) => NETWORKS[network].addressPrefix === prefix)
}
