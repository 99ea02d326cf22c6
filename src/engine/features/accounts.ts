import { EMPTY, map, switchMap, type Observable } from 'rxjs'
import { ChainCryptoError } from '../../errors/crypto-error.js'
import { onceLoaded } from '../../loading/once-loaded.js'
import type { UsedAddresses } from '../../streams/accounts/account.js'
import type { Accounts, ScanOptions } from '../../streams/accounts/records.js'
import type { ChainCore } from '../core.js'
import { feature } from '../feature.js'
import { restClients } from './rest.js'
import { rpc } from './rpc.js'
import { utxos } from './utxos.js'

/** The indexer is optional in a scan: it must not delay the node's part for long. */
const HISTORY_TIMEOUT = 10_000

/** Accounts of extended public keys, over a core's node and indexer. Their code is loaded with the first one. */
export function accounts(core: ChainCore): Accounts {
  const issued = new Map<string, number>()
  const load = onceLoaded(loadAccounts)
  return {
    fromExtendedPublicKey: async (text, options = {}) => {
      const { parseExtendedPublicKey, createAccount, checkStart } = await load()
      const network = core.network()
      const startIndex = checkStart(options)
      const deps = {
        key: parseExtendedPublicKey(text, network),
        network,
        currentNetwork: core.network,
        openScan: (scan: ScanOptions) => openScan(core, scan),
        withUtxos$: (addresses$: Observable<readonly string[]>) => withUtxos$(core, network, addresses$),
        issued,
        ended$: core.ended$,
      }
      return createAccount(deps, startIndex)
    },
  }
}

async function loadAccounts() {
  try {
    const [key, account, checks] = await Promise.all([
      import('../../streams/accounts/extended-public-key.js'),
      import('../../streams/accounts/account.js'),
      import('../../streams/accounts/check-arguments.js'),
    ])
    return { ...key, ...account, ...checks }
  } catch (cause) {
    throw new ChainCryptoError('fromExtendedPublicKey', cause, {
      code: 'failed',
      hint: 'Serve all files of the build, and call it again.',
    })
  }
}

/** Balances of the node, and activity by the indexer until it fails once. */
function openScan(core: ChainCore, { history = true, signal }: ScanOptions): UsedAddresses {
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

/** The addresses with UTXOs while the engine is on `network`; the UTXO sets are shared with all trackers. */
const withUtxos$ = (
  core: ChainCore,
  network: string,
  addresses$: Observable<readonly string[]>,
): Observable<readonly string[]> =>
  core.network$.pipe(
    switchMap((current) =>
      current === network ? feature(core, utxos)(addresses$, { mempoolInterval: 0 }).state$ : EMPTY,
    ),
    map(({ entries }) => entries.flatMap(({ address }) => address ?? [])),
  )
