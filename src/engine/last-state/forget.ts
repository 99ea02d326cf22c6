import { firstValueFrom, from, timeout } from 'rxjs'
import { ChainError } from '../../errors/chain-error.js'
import { AVAILABLE_NETWORKS } from '../../model/network.js'
import { createBrowserTabs } from '../../platform/tabs.js'
import type { CoreParts } from '../core-parts.js'
import type { LastStates } from './last-states.js'
import { StateDatabase, toDatabaseName, toForgetChannel } from './state-database.js'

/**
 * Deletes what the option `shared.state` has stored under a name, of all networks, also where the option is off now.
 * Rejects with `ChainError` where the browser does not delete it, or a frozen tab keeps the database from being opened:
 * it delays an earlier deletion, behind which all of them wait.
 */
export async function forget({ platform }: CoreParts, name: string, states: LastStates | undefined): Promise<void> {
  const tabs = platform.tabs ?? createBrowserTabs()
  if (tabs === null) return
  states?.forget()
  tabs.notify(toForgetChannel(name))
  const names = AVAILABLE_NETWORKS.map((network) => toDatabaseName(name, network))
  try {
    const deleted = Promise.all(names.map((each) => new StateDatabase(tabs.databases, each, 0).delete()))
    await firstValueFrom(from(deleted).pipe(timeout({ first: TIMEOUT, scheduler: platform.scheduler })))
  } catch (cause) {
    const hint = 'Call it again, or let the user clear the data of the site.'
    throw new ChainError('The stored balances could not be deleted', { cause, hint })
  }
}

/** Ms in which the databases have to be deleted. */
const TIMEOUT = 10_000
