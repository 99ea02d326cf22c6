import { isChainNetwork, type ChainNetwork } from '../../model/network.js'
import { hasMethods, invoke, type Provider } from '../provider.js'

/** The result of a method; undefined if a compatible wallet lacks it. */
export const callIfPresent = (provider: Provider, operation: string, method: string): Promise<unknown> =>
  hasMethods(provider, method) ? invoke(provider, operation, method) : Promise.resolve(undefined)

/** The accounts that KasWare or a compatible wallet exposes without a prompt. */
export interface ShownAccounts {
  read(): Promise<unknown>
  /** Records accounts from an event, a connect or a disconnect. */
  record(accounts: readonly unknown[]): void
}

/** Compatible wallets without `getAccounts` use the accounts recorded last. */
export function createShownAccounts(provider: Provider): ShownAccounts {
  let latest: readonly unknown[] = []
  return {
    read: () =>
      hasMethods(provider, 'getAccounts') ? invoke(provider, 'connect', 'getAccounts') : Promise.resolve(latest),
    record: (accounts) => {
      latest = accounts
    },
  }
}

/** The networks that KasWare can be switched to; it can also report simnet. */
export const SWITCHABLE: readonly ChainNetwork[] = ['mainnet', 'testnet-10', 'testnet-12', 'devnet']

/** A network in the spelling of `own`: KasWare has `kaspa_testnet_10`, some compatible wallets `testnet-10`. */
export const toKaswareName = (network: ChainNetwork, own: unknown): string =>
  isChainNetwork(own) ? network : `kaspa_${network.replaceAll('-', '_')}`

/** Mainnet in outdated documentation. `testnet` alone is ambiguous and stays unchanged. */
const MAINNET = ['livenet', '0']

/**
 * A network in our spelling; an unknown one keeps its name. Null for an empty name, which means that the site has no
 * permission.
 */
export function readNetwork(name: unknown): string | null {
  if (typeof name !== 'string' || name === '') return null
  if (MAINNET.includes(name)) return 'mainnet'
  return name.replace(/^kaspa_/, '').replaceAll('_', '-')
}
