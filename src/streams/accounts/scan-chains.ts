import type { Observable } from 'rxjs'
import { invalidArgument, ChainError } from '../../errors/chain-error.js'
import type { ChainNetwork } from '../../model/network.js'
import { checkScan, type AccountAddress, type AccountScan, type ScanOptions } from './accounts.js'
import type { FollowDeps } from './follow-chains.js'
import { type FollowedChain, INDEX_END } from './address-chain.js'
import type { IssuedIndexes } from './issued-indexes.js'

/** Finds used addresses during one scan. */
export interface UsedAddresses {
  readonly findUsed: FindUsed
  /** The source of the results so far. */
  readonly basis: () => AccountScan['basis']
}

/** What accounts need of an engine. */
export interface AccountSource extends FollowDeps {
  /** The network of the account. */
  readonly network: ChainNetwork
  /** The network of the engine. */
  readonly currentNetwork: () => ChainNetwork
  readonly openScan: (options: Pick<ScanOptions, 'history' | 'signal'>) => UsedAddresses
  /** What was handed out of all accounts of the engine. */
  readonly issued: IssuedIndexes
  readonly ended$: Observable<unknown>
}

/** The used addresses of some chains, in their order. */
interface ScannedChains {
  readonly found: readonly (readonly AccountAddress[])[]
  readonly basis: AccountScan['basis']
}

/** Finds the used addresses of chains, which then follow them and the gap behind. Rejects as `Account.scan`. */
export async function scanChains(
  chains: readonly FollowedChain[],
  options: ScanOptions,
  source: AccountSource,
): Promise<ScannedChains> {
  const { gapLimit, maxAddresses, history, signal } = checkScan(options)
  requireNetwork(source)
  const { findUsed, basis } = source.openScan({ history, signal })
  const found = await Promise.all(chains.map(({ address }) => scanChain({ gapLimit, maxAddresses, address, findUsed })))
  requireNetwork(source)
  found.forEach((used, at) => {
    chains[at]?.dispatch({ type: 'scanned', end: (used.at(-1)?.index ?? -1) + 1, gapLimit })
  })
  return { found, basis: basis() }
}

/** Testnets share their addresses, so that the node could not refuse them. */
function requireNetwork({ network, currentNetwork }: AccountSource): void {
  if (network === currentNetwork()) return
  throw invalidArgument(
    'network',
    `The account is of ${network}, and the engine's network is ${currentNetwork()}`,
    'Create the account again after switchNetwork().',
  )
}

/** Which of the addresses are used. */
type FindUsed = (addresses: readonly string[]) => Promise<ReadonlySet<string>>

interface ChainScan {
  readonly gapLimit: number
  readonly maxAddresses: number
  readonly address: (index: number) => string
  readonly findUsed: FindUsed
}

/**
 * The used addresses of a chain, up to the first `gapLimit` unused ones in a row. Rejects with `limit-exceeded` after
 * `maxAddresses`: a node that reports everything as used would never end a scan.
 */
export async function scanChain({ gapLimit, maxAddresses, address, findUsed }: ChainScan): Promise<AccountAddress[]> {
  const found: AccountAddress[] = []
  let end = gapLimit
  for (let from = 0; from < end;) {
    if (end > maxAddresses) throw limitExceeded(maxAddresses)
    const batch = Array.from({ length: end - from }, (_, at) => ({ address: address(from + at), index: from + at }))
    const used = await findUsed(batch.map((one) => one.address))
    found.push(...batch.filter((one) => used.has(one.address)))
    from = end
    end = Math.min((found.at(-1)?.index ?? -1) + 1 + gapLimit, INDEX_END)
  }
  return found
}

const limitExceeded = (maxAddresses: number): ChainError =>
  new ChainError(`The scan needs more than ${maxAddresses} addresses of a chain`, {
    code: 'limit-exceeded',
    argument: 'maxAddresses',
    hint: 'Raise maxAddresses if the account is that large; otherwise the node or the indexer is not right.',
  })
