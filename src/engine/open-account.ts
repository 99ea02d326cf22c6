import { EMPTY, map, switchMap, type Observable } from 'rxjs'
import type { UtxoEntry } from '../model/utxo.js'
import type { ChainNetwork } from '../model/network.js'
import { createAccount, parseExtendedPublicKey } from '../streams/accounts/account.js'
import { checkStart, type Account, type AccountOptions, type ScanOptions } from '../streams/accounts/accounts.js'
import { createCreditCheck } from '../streams/accounts/follow-chains.js'
import { createIssuedIndexes } from '../streams/accounts/issued-indexes.js'
import type { AccountSource, UsedAddresses } from '../streams/accounts/scan-chains.js'
import { type CoreParts, feature } from './core-parts.js'
import { keyPaths, type KeyPathOf } from './features/own-addresses.js'
import { restClients } from './features/rest.js'
import { rpc } from './features/node-calls.js'
import { transactionStatus } from './features/transaction-status.js'
import { liveUtxos } from './features/utxos.js'

/** The indexer is optional in a scan: it must not delay the node's part for long. */
const HISTORY_TIMEOUT = 10_000

/** An account of an extended public key over a core's node and indexer. */
export function openAccount(core: CoreParts, text: string, options: AccountOptions): Account {
  const source = accountSource(core)
  const { network } = source
  const startIndex = checkStart(options)
  const key = parseExtendedPublicKey(text, network)
  const onCreated = (keyPathOf: KeyPathOf): void => feature(core, keyPaths).register(`${network}/${key.id}`, keyPathOf)
  return createAccount({ ...source, key, onCreated }, startIndex)
}

/** What accounts need of a core, on its network of now. */
export function accountSource(core: CoreParts): AccountSource {
  const network = core.network()
  return {
    network,
    currentNetwork: core.network,
    openScan: (scan) => openScan(core, scan),
    utxos$: (addresses$) => utxos$(core, network, addresses$),
    checkCredit: createCreditCheck({ call: core.call, status: feature(core, transactionStatus) }),
    issued: feature(core, createIssuedIndexes),
    ended$: core.ended$,
  }
}

/** Balances of the node, and activity by the indexer until it fails once. */
function openScan(core: CoreParts, { history = true, signal }: ScanOptions): UsedAddresses {
  const { getBalancesByAddresses } = feature(core, rpc)
  const { getAddressesActive } = feature(core, restClients).current()
  let basis: ReturnType<UsedAddresses['basis']> = history ? 'history' : 'utxos'

  async function activeOf(addresses: readonly string[]): Promise<string[]> {
    if (basis === 'utxos') return []
    try {
      const states = await getAddressesActive(addresses, { cache: false, timeout: HISTORY_TIMEOUT, signal })
      return states.filter(({ active }) => active).map(({ address }) => address)
    } catch (error) {
      basis = 'utxos'
      core.options.logger.warn('The indexer was not available to the scan of an account', { error })
      return []
    }
  }
  const fundedOf = async (addresses: readonly string[]): Promise<string[]> => {
    const balances = await getBalancesByAddresses(addresses, { signal })
    return balances.filter(({ balance }) => balance > 0n).map(({ address }) => address)
  }
  return {
    basis: () => basis,
    findUsed: async (addresses) => new Set((await Promise.all([fundedOf(addresses), activeOf(addresses)])).flat()),
  }
}

/** The UTXOs while the engine is on `network`; the UTXO sets are shared with all trackers. */
const utxos$ = (
  core: CoreParts,
  network: ChainNetwork,
  addresses$: Observable<readonly string[]>,
): Observable<readonly UtxoEntry[]> =>
  core.network$.pipe(
    switchMap((current) =>
      current === network ? feature(core, liveUtxos)(addresses$, { mempoolInterval: 0 }).state$ : EMPTY,
    ),
    map(({ entries }) => entries),
  )
