import { toPromise } from '../../platform/indexed-database.js'
import type { PlatformTabs } from '../../platform/port.js'

/** Databases of payout journals in a page begin so (`payouts/stores/indexed-db-rows`). */
const PREFIX = 'vue-chain/payouts/'

/**
 * Whether a journal of this origin has signed a transaction: another script may write claims of payouts, and a deleted
 * journal leaves some. A journal that cannot be read has what the claim says.
 */
export async function hasGroup(
  databases: PlatformTabs['databases'],
  owner: string,
  transactionId: string,
): Promise<boolean> {
  const [journal = ''] = owner.split(' ')
  if (!journal.startsWith(PREFIX)) return false
  const request = databases.open(journal)
  request.onupgradeneeded = () => request.transaction?.abort() // there is none, and none is created
  try {
    return await countIn(await toPromise(request), transactionId)
  } catch (error) {
    return !(error instanceof DOMException && error.name === 'AbortError')
  }
}

async function countIn(database: IDBDatabase, transactionId: string): Promise<boolean> {
  try {
    const groups = database.transaction('groups').objectStore('groups')
    return (await toPromise(groups.index('transactions').count(transactionId))) > 0
  } finally {
    database.close()
  }
}
