import { firstValueFrom, timer } from 'rxjs'
import { ChainWalletError } from '../../errors/wallet-error.js'
import { noAccount } from '../no-account.js'
import { invoke, type Provider } from '../provider.js'
import { firstAccount } from '../reading/accounts.js'
import type { Surroundings } from '../surroundings.js'
import { CHECK_IN } from './check-in.js'

const UNAUTHORISED = 4100

/**
 * The account that the user shows us. KasWare that was asked before it knew the site refuses what the user has just agreed
 * to: then it is asked once more.
 */
export async function requestAccount(provider: Provider, { platform }: Surroundings): Promise<string> {
  const ask = () => invoke(provider, 'connect', 'requestAccounts')
  try {
    return toAccount(await ask())
  } catch (error) {
    if (!isTooEarly(error)) throw error
    await firstValueFrom(timer(CHECK_IN, platform.scheduler))
    return toAccount(await ask())
  }
}

function isTooEarly(error: unknown): boolean {
  const cause = error instanceof ChainWalletError ? error.cause : undefined
  return typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === UNAUTHORISED
}

function toAccount(accounts: unknown): string {
  const account = firstAccount(accounts)
  if (account === null) throw noAccount()
  return account
}
