import { type CoreParts, existingFeature } from '../../../../engine/core-parts.js'
import { wallet } from '../../../../engine/features/wallet.js'
import { isChainNetwork } from '../../../../model/network.js'
import { NO_WALLET, type WalletStatus } from '../../../../streams/wallet/wallet-session.js'
import { amountFields, errorField, fieldsOf, tag } from '../fields.js'
import type { InspectorNode } from '../inspector-node.js'

const TONES = {
  connected: 'good',
  connecting: 'busy',
  locked: 'busy',
  disconnected: 'plain',
  'wrong-network': 'bad',
  'disconnected-by-wallet': 'bad',
} as const satisfies Record<WalletStatus, string>

/** The browser wallet in use. Displaying it does not search for wallets. */
export function walletNode(core: CoreParts): InspectorNode {
  const state = existingFeature(core, wallet)?.state ?? NO_WALLET
  return {
    id: 'wallet',
    label: 'Wallet',
    tags: [tag(state.status, TONES[state.status])],
    state: () => {
      const { status, provider, address, publicKey, network, pending, balance, installed, discovered } = state
      const current = isChainNetwork(network) ? network : core.network()
      return {
        wallet: [
          ...fieldsOf({ status, name: state.wallet?.name ?? null, provider, address, publicKey, network, pending }),
          errorField(state.error),
        ],
        balance: [
          ...amountFields('confirmed', balance?.confirmed ?? null, current),
          ...amountFields('unconfirmed', balance?.unconfirmed ?? null, current),
          ...amountFields('total', balance?.total ?? state.reportedBalance, current),
        ],
        found: fieldsOf({ installed, discovered: discovered.map(({ name }) => name) }),
      }
    },
  }
}
