import { isValidAddress } from '../../model/address.js'
import { isAddressOnNetwork, networkOfAddress } from '../../model/network-of-address.js'
import type { Wallet, WalletAccount } from '../../wallets/port.js'
import { invalidAccount } from './prompt-errors.js'

/**
 * An account whose address has a valid checksum and a known prefix; its network is that of the prefix if the wallet
 * reports none. `wrong-network` if the prefix contradicts the reported network: the wallet still has to replace its
 * address, and a balance or a payment would be of the network that the user has left. Throws `ChainWalletError`
 * (`unexpected-response`) for an invalid address: the page would otherwise show one that loses payments.
 */
export function checkAccount(
  { networks }: Pick<Wallet, 'networks'>,
  account: WalletAccount,
): WalletAccount | 'wrong-network' {
  const { address } = account
  if (!isValidAddress(address)) throw invalidAccount(address)
  if (!isAddressOnNetwork(address, account.network)) return 'wrong-network'
  return { ...account, network: account.network ?? networkOfAddress(address, networks) }
}
