import type { WalletFunds } from '../node/wallet-node.js'
import { siteAccessOf, type KaswareBehavior, type Kasware, type SiteAccess } from './extension.js'
import { unauthorized } from './errors.js'
import { throwValue } from '../extension-calls.js'
import { toKaswareName } from './networks.js'

export type ReadMethod = (kasware: Kasware, access: SiteAccess, params: readonly unknown[]) => unknown

/** The methods without a prompt; without access they return an empty value. */
export const READ_METHODS = {
  getVersion: () => '0.13.5',
  getAccounts: ({ accountState }, access) => (access === 'permitted' ? [accountState.address] : []),
  getPublicKey: ({ accountState }, access) => (access === 'permitted' ? accountState.account.publicKey : ''),
  getNetwork: ({ accountState }, access) => (access === 'none' ? '' : toKaswareName(accountState.state.network)),
  getBalance: async (kasware, access) => {
    if (access === 'none') return {}
    if (access === 'locked') return null
    return toBalance(await kasware.node.balance(kasware.accountState.address, kasware.balance), kasware.behavior)
  },
  getUtxoEntries: (_, access) => (access === 'permitted' ? [] : throwValue(unauthorized)),
  disconnect: ({ accountState, notifier }, _, [origin]) => {
    if (typeof origin !== 'string') return
    if (siteAccessOf(accountState, origin) !== 'none') notifier.accounts([])
    accountState.revoke(origin)
  },
} as const satisfies Record<string, ReadMethod>

function toBalance({ confirmed, unconfirmed }: WalletFunds, behavior: KaswareBehavior): object {
  const format = (sompi: bigint): number | string => (behavior.balance === 'text' ? String(sompi) : Number(sompi))
  const parts = { confirmed: format(confirmed), unconfirmed: format(unconfirmed) }
  const sum = { total: format(confirmed + unconfirmed) }
  if (behavior.balance === 'without total') return parts
  return behavior.balance === 'total only' ? sum : { ...parts, ...sum }
}
