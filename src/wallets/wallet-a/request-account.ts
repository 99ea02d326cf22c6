import { shareReplay, switchMap, timer, defer, map, retry, type Observable } from 'rxjs'
import { ChainWalletError } from '../../errors/wallet-error.js'
import { loaded$ } from '../ready.js'
import type { WalletEnvironment } from '../environment.js'
import { noAccountError } from '../read-snapshot.js'
import { invoke, type Provider } from '../provider.js'
import { firstAccount } from '../reading/account.js'
import { fieldOf } from '../foreign-object.js'

/**
 * Ms after the page's load within which KasWare's page script sends the site's origin to the extension (`tabCheckin`).
 */
const CHECK_IN = 150

/**
 * Emits once KasWare has the site's origin. Before that it exposes no account to a permitted site, or the account of
 * the tab's previous site, and a prompt names no site and ends in a rejection.
 */
export const checkedIn$ = (environment: WalletEnvironment): Observable<unknown> =>
  loaded$(environment).pipe(
    switchMap(() => timer(CHECK_IN, environment.platform.scheduler)),
    shareReplay(1),
  )

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
