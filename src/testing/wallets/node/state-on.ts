import type { AccountState } from '../account-state.js'
import type { WalletDevnode } from './wallet-node.js'

/** The initial state of a wallet: on the network of its devnode, unless it names another one. */
export function stateOn({
  state,
  devnode,
}: {
  readonly state?: Partial<AccountState> | undefined
  readonly devnode?: WalletDevnode | undefined
}): Partial<AccountState> {
  const network = devnode?.engineOptions.network
  return { ...(network !== undefined && { network }), ...state }
}
