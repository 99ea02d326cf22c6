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

/** The parameters of a network: 10 blocks per second on all of them, on devnet since 1.1. */
const params = (
  id: ChainNetwork,
  addressPrefix: AddressPrefix,
  unit: CurrencyUnit,
  borshPort: number,
  jsonPort: number,
): NetworkParams => ({ id, addressPrefix, unit, borshPort, jsonPort, targetTimePerBlock: 100, coinbaseMaturity: 1000n })

/** The parameters of every network, by its id. */
export const NETWORKS: Readonly<Record<ChainNetwork, NetworkParams>> = {
  mainnet: /*#__PURE__*/ params('mainnet', 'kaspa', 'KAS', 17110, 18110),
  'testnet-10': /*#__PURE__*/ params('testnet-10', 'kaspatest', 'TKAS', 17210, 18210),
  'testnet-12': /*#__PURE__*/ params('testnet-12', 'kaspatest', 'TKAS', 17210, 18210),
  simnet: /*#__PURE__*/ params('simnet', 'kaspasim', 'SKAS', 17510, 18510),
  devnet: /*#__PURE__*/ params('devnet', 'kaspadev', 'DKAS', 17610, 18610),
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

/** Version bytes of an extended public key by its first four letters: mainnet's, the test networks', and Bitcoin's. */
export const EXTENDED_KEY_VERSIONS = { kpub: 0x038f332e, ktub: 0x0390a241, xpub: 0x0488b21e } as const
