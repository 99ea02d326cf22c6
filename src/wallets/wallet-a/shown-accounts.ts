import { hasMethods, invoke, type Provider } from '../provider.js'

/** Whom a wallet that speaks as KasWare shows us, without a question. */
export interface ShownAccounts {
  read(): Promise<unknown>
  /** What the wallet said without being asked for it so, or that we left. */
  note(accounts: readonly unknown[]): void
}

/** Not all of KasWare's likes can be asked who is shown: of such a one, what it said last holds. */
export function createShownAccounts(provider: Provider): ShownAccounts {
  let said: readonly unknown[] = []
  return {
    read: () =>
      hasMethods(provider, 'getAccounts') ? invoke(provider, 'connect', 'getAccounts') : Promise.resolve(said),
    note: (accounts) => {
      said = accounts
    },
  }
}
