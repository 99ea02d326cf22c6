import type { Observable } from 'rxjs'
import { invalidArgument } from '../../errors/chain-error.js'
import type { ChainNetwork } from '../../model/network.js'
import { checkScan } from './check-arguments.js'
import type { FollowDeps } from './follow-chains.js'
import type { FollowedChain } from './followed-chain.js'
import type { IssuedIndexes } from './issued-indexes.js'
import type { AccountAddress, AccountScan, ScanOptions } from './records.js'
import { scanChain, type FindUsed } from './scan-chain.js'

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
