import { unauthorized } from './errors.js'
import { refuse } from '../refuse.js'
import { standingOf, type Kasware, type Standing } from './extension.js'
import { toKaswareName } from './networks.js'

export type Read = (kasware: Kasware, standing: Standing, params: readonly unknown[]) => unknown

/** The methods that open no window: to whom they have nothing to say they answer with something empty. */
export const READS = {
  getVersion: () => '0.13.5',
  getAccounts: ({ vault }, standing) => (standing === 'permitted' ? [vault.address] : []),
  getPublicKey: ({ vault }, standing) => (standing === 'permitted' ? vault.account.publicKey : ''),
  getNetwork: ({ vault }, standing) => (standing === 'stranger' ? '' : toKaswareName(vault.state.network)),
  getBalance: (kasware, standing) => {
    if (standing === 'stranger') return {}
    return standing === 'locked out' ? null : toBalance(kasware)
  },
  getUtxoEntries: (_, standing) => (standing === 'permitted' ? [] : refuse(unauthorized)),
  disconnect: ({ vault, news }, _, [origin]) => {
    if (typeof origin !== 'string') return
    if (standingOf(vault, origin) !== 'stranger') news.accounts([])
    vault.forbid(origin)
  },
} as const satisfies Record<string, Read>

function toBalance({ balance: { confirmed, unconfirmed }, answers }: Kasware): object {
  const write = (sompi: bigint): number | string => (answers.balance === 'text' ? String(sompi) : Number(sompi))
  return { confirmed: write(confirmed), unconfirmed: write(unconfirmed), total: write(confirmed + unconfirmed) }
}
