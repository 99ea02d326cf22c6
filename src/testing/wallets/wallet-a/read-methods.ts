import { unauthorized } from './errors.js'
import { throwValue } from '../throw-value.js'
import { siteAccessOf, type Kasware, type SiteAccess } from './extension.js'
import { toKaswareName } from './networks.js'

export type ReadMethod = (kasware: Kasware, access: SiteAccess, params: readonly unknown[]) => unknown

/** The methods without a prompt; without access they return an empty value. */
export const READ_METHODS = {
  getVersion: () => '0.13.5',
  getAccounts: ({ accountState }, access) => (access === 'permitted' ? [accountState.address] : []),
  getPublicKey: ({ accountState }, access) => (access === 'permitted' ? accountState.account.publicKey : ''),
  getNetwork: ({ accountState }, access) => (access === 'none' ? '' : toKaswareName(accountState.state.network)),
  getBalance: (kasware, access) => {
    if (access === 'none') return {}
    return access === 'locked' ? null : toBalance(kasware)
  },
  getUtxoEntries: (_, access) => (access === 'permitted' ? [] : throwValue(unauthorized)),
  disconnect: ({ accountState, notifier }, _, [origin]) => {
    if (typeof origin !== 'string') return
    if (siteAccessOf(accountState, origin) !== 'none') notifier.accounts([])
    accountState.revoke(origin)
  },
} as const satisfies Record<string, ReadMethod>

function toBalance({ balance: { confirmed, unconfirmed }, behavior }: Kasware): object {
  const format = (sompi: bigint): number | string => (behavior.balance === 'text' ? String(sompi) : Number(sompi))
  const parts = { confirmed: format(confirmed), unconfirmed: format(unconfirmed) }
  const sum = { total: format(confirmed + unconfirmed) }
  if (behavior.balance === 'without total') return parts
  return behavior.balance === 'total only' ? sum : { ...parts, ...sum }
}
