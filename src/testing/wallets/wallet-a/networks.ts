/** The networks of KasWare, in the order in which its error lists them, and what nodes call them. */
const NETWORKS: Readonly<Record<string, string>> = {
  kaspa_mainnet: 'mainnet',
  kaspa_testnet_12: 'testnet-12',
  kaspa_testnet_11: 'testnet-11',
  kaspa_testnet_10: 'testnet-10',
  kaspa_devnet: 'devnet',
}

/** What pages may ask to switch to. */
export const SWITCHABLE = /*#__PURE__*/ Object.keys(NETWORKS)

export const fromKaswareName = (name: string): string | undefined => NETWORKS[name]

/** `testnet-10` as KasWare spells it. It may stand on a network, `kaspa_simnet`, to which no page can switch it. */
export const toKaswareName = (network: string): string => `kaspa_${network.replaceAll('-', '_')}`

/** Between networks of one type it switches without asking. */
export const typeOf = (network: string): string => network.split('-', 1)[0] ?? network
