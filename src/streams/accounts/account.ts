import { shareLatest } from '../share-latest.js'
import { checkChain, checkIndex, checkNext } from './check-arguments.js'
import type { ExtendedPublicKey } from './extended-public-key.js'
import { followChains } from './follow-chains.js'
import { createFollowedChain, type FollowedChain } from './followed-chain.js'
import { issueAddress } from './issued-indexes.js'
import type { Account, AccountAddress, NextAddressOptions } from './records.js'
import { scanChains, type AccountSource } from './scan-chains.js'

export interface AccountDeps extends AccountSource {
  readonly key: ExtendedPublicKey
  /** Receives the lookup of the derivation path of a followed address. */
  readonly onCreated: (keyPathOf: (address: string) => string | undefined) => void
}

type Chains = Readonly<Record<'receive' | 'change', FollowedChain>>

/** Creates an account. With `startIndex`, `next` works without a scan. */
export function createAccount(deps: AccountDeps, startIndex?: number): Account {
  const { key, network, issued, ended$ } = deps
  const chains: Chains = {
    receive: createFollowedChain((index) => key.address(false, index)),
    change: createFollowedChain((index) => key.address(true, index)),
  }
  const { receive, change } = chains
  if (startIndex !== undefined) {
    for (const chain of [receive, change]) chain.dispatch({ type: 'started', index: startIndex })
  }
  const issue = (options: NextAddressOptions): AccountAddress => {
    const { change: isChange, withinGap } = checkNext(options)
    const id = `${network}/${key.id}/${isChange ? 1 : 0}`
    return issueAddress({ id, chain: isChange ? change : receive }, withinGap, issued)
  }
  deps.onCreated((address) => keyPathOf(chains, key.path, address))
  return Object.freeze({
    // frozen: a reactive proxy of Vue would reach into the stream
    network,
    addresses$: followChains([receive, change], deps).pipe(shareLatest(ended$)),
    isChange: (address) => change.indexOf(address) !== undefined,
    address: (index, options = {}) => key.address(checkChain(options), checkIndex('index', index)),
    next: (options = {}) => new Promise((resolve) => resolve(issue(options))),
    scan: async (options = {}) => {
      const { found, basis } = await scanChains([receive, change], options, deps)
      return { receive: found[0] ?? [], change: found[1] ?? [], basis }
    },
  } satisfies Account)
}

function keyPathOf({ receive, change }: Chains, path: string, address: string): string | undefined {
  const [received, changed] = [receive.derivedIndexOf(address), change.derivedIndexOf(address)]
  if (received !== undefined) return `${path}/0/${received}`
  return changed === undefined ? undefined : `${path}/1/${changed}`
}
