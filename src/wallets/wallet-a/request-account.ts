import { defer, map, retry, timer, type Observable } from 'rxjs'
import { ChainWalletError } from '../../errors/wallet-error.js'
import { noAccount } from '../agreed.js'
import { invoke, type Provider } from '../provider.js'
import { firstAccount } from '../reading/accounts.js'
import { fieldOf } from '../reading/words.js'
import type { Surroundings } from '../surroundings.js'
import { CHECK_IN } from './check-in.js'

const UNAUTHORISED = 4100

/**
 * The account that the user shows us. KasWare that was asked before it knew the site refuses what the user has just agreed
 * to: then it is asked once more, unless nobody waits for it any more.
 */
export const requestAccount$ = (provider: Provider, { platform }: Surroundings): Observable<string> =>
  defer(() => invoke(provider, 'connect', 'requestAccounts')).pipe(
    retry({
      count: 1,
      delay: (error) => {
        if (!isTooEarly(error)) throw error
        return timer(CHECK_IN, platform.scheduler)
      },
    }),
    map(toAccount),
  )

function isTooEarly(error: unknown): boolean {
  return error instanceof ChainWalletError && fieldOf(error.cause, 'code') === UNAUTHORISED
}

function toAccount(accounts: unknown): string {
  const account = firstAccount(accounts)
  if (account === null) throw noAccount()
  return account
}
