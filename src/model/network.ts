/** The networks this library knows. All testnets share address prefix and RPC ports; only the id tells them apart. */
export type ChainNetwork = 'mainnet' | 'testnet-10' | 'testnet-12' | 'simnet' | 'devnet'

/** Every network that `VueChainOptions.network` and `switchNetwork` accept. */
export const AVAILABLE_NETWORKS: readonly ChainNetwork[] = ['mainnet', 'testnet-10', 'testnet-12', 'simnet', 'devnet']

/** The human-readable part of an address. */
export type AddressPrefix = 'kaspa' | 'kaspatest' | 'kaspasim' | 'kaspadev'

/** The wire encodings of the node's RPC. */
export type RpcEncoding = 'Borsh' | 'SerdeJson'
