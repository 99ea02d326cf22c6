/** KasWare's networks and their ids, in the order of its error message. */
const NETWORKS: Readonly<Record<string, string>> = {
  kaspa_mainnet: 'mainnet',
  kaspa_testnet_12: 'testnet-12',
  kaspa_testnet_11: 'testnet-11',
  kaspa_testnet_10: 'testnet-10',
  kaspa_devnet: 'devnet',
}

/** The networks that a page can switch to. */
export const SWITCHABLE = /*#__PURE__*/ Object.keys(NETWORKS)

export const fromKaswareName = (name: string): string | undefined => NETWORKS[name]

/** A network in KasWare's spelling, also `kaspa_simnet`, which no page can switch to. */
export const toKaswareName = (network: string): string => `kaspa_${network.replaceAll('-', '_')}`

/** The network type; KasWare switches within one type without a prompt. */
export const typeOf = (network: string): string => network.split('-', 1)[0] ?? network
