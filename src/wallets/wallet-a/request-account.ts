import { defer, map, retry, timer, type Observable } from 'rxjs'
import { ChainWalletError } from '../../errors/wallet-error.js'
import { noAccountError } from '../require-account.js'
import { invoke, type Provider } from '../provider.js'
import { firstAccount } from '../reading/accounts.js'
import { fieldOf } from '../reading/rejection.js'
import type { WalletEnvironment } from '../environment.js'
import { CHECK_IN } from './check-in.js'

const UNAUTHORISED = 4100

/**
 * The account that the user approves. Before its check-in KasWare rejects even an approved request, so the request is
 * retried once.
 */
export const requestAccount$ = (provider: Provider, { platform }: WalletEnvironment): Observable<string> =>
  defer(() => invoke(provider, 'connect', 'requestAccounts')).pipe(
    retry({
      count: 1,
      delay: (error) => {
        if (!isBeforeCheckIn(error)) throw error
        return timer(CHECK_IN, platform.scheduler)
      },
    }),
    map(toAccount),
  )

function isBeforeCheckIn(error: unknown): boolean {
  return error instanceof ChainWalletError && fieldOf(error.cause, 'code') === UNAUTHORISED
}

function toAccount(accounts: unknown): string {
  const account = firstAccount(accounts)
  if (account === null) throw noAccountError()
  return account
}
