import { isValidAddress } from '../../model/address.js'
import { NETWORKS, isChainNetwork } from '../../model/network.js'
import type { WalletAccount } from '../../wallets/port.js'
import { invalidAccount } from './prompt-errors.js'

/**
 * An account whose address has a valid checksum and a known prefix; its network is null if the prefix contradicts it.
 * Throws `ChainWalletError` (`unexpected-answer`): the page would otherwise show an address that loses payments.
 */
export function checkAccount(account: WalletAccount): WalletAccount {
  const { address, network } = account
  if (!isValidAddress(address)) throw invalidAccount(address)
  const prefix = isChainNetwork(network) ? NETWORKS[network].addressPrefix : null
  return prefix === null || address.startsWith(`${prefix}:`) ? account : { ...account, network: null }
}
