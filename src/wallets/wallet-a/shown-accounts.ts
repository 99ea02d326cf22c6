import { hasMethods, invoke, type Provider } from '../provider.js'

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
