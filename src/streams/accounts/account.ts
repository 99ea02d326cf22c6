import {
  EMPTY,
  catchError,
  combineLatest,
  filter,
  finalize,
  ignoreElements,
  map,
  merge,
  mergeMap,
  tap,
  type Observable,
  type OperatorFunction,
} from 'rxjs'
import { ChainError, invalidArgument } from '../../errors/chain-error.js'
import type { ChainNetwork } from '../../model/network.js'
import { toOutpointKey, type OutpointKey, type UtxoEntry } from '../../model/utxo.js'
import { shareLatest } from '../share-latest.js'
import { INDEX_END, type AddressChain } from './address-chain.js'
import { checkChain, checkIndex, checkNext, checkScan } from './check-arguments.js'
import type { CheckCredit } from './credit-check.js'
import type { ExtendedPublicKey } from './extended-public-key.js'
import { createFollowedChain, type FollowedChain } from './followed-chain.js'
import type { Account, AccountAddress, AccountScan, NextAddressOptions, ScanOptions } from './records.js'
import { scanChain, type FindUsed } from './scan-chain.js'

/** Finds used addresses during one scan. */
export interface UsedAddresses {
  readonly findUsed: FindUsed
  /** The source of the results so far. */
  readonly basis: () => AccountScan['basis']
}

export interface AccountDeps {
  readonly key: ExtendedPublicKey
  /** The network of the account. */
  readonly network: ChainNetwork
  /** The network of the engine. */
  readonly currentNetwork: () => ChainNetwork
  readonly openScan: (options: Pick<ScanOptions, 'history' | 'signal'>) => UsedAddresses
  /** The UTXOs of the addresses, whenever they change. */
  readonly utxos$: (addresses$: Observable<readonly string[]>) => Observable<readonly UtxoEntry[]>
  readonly checkCredit: CheckCredit
  /** The end of the indexes returned by `next`, by chain, of all accounts of this key. */
  readonly issued: Map<string, number>
  readonly ended$: Observable<unknown>
  /** Receives the lookup of the derivation path of a followed address. */
  readonly onCreated: (keyPathOf: (address: string) => string | undefined) => void
}

type Chains = Readonly<Record<'receive' | 'change', FollowedChain>>

/** Creates an account. With `startIndex`, `next` works without a scan. */
export function createAccount(deps: AccountDeps, startIndex?: number): Account {
  const { key, network, ended$ } = deps
  const chains: Chains = {
    receive: createFollowedChain((index) => key.address(false, index)),
    change: createFollowedChain((index) => key.address(true, index)),
  }
  const { receive, change } = chains
  if (startIndex !== undefined) {
    for (const chain of [receive, change]) chain.dispatch({ type: 'started', index: startIndex })
  }
  deps.onCreated((address) => keyPathOf(chains, key.path, address))
  return Object.freeze({
    // frozen: a reactive proxy of Vue would reach into the stream
    network,
    addresses$: followed$(chains, deps).pipe(shareLatest(ended$)),
    isChange: (address) => change.indexOf(address) !== undefined,
    address: (index, options = {}) => key.address(checkChain(options), checkIndex('index', index)),
    next: (options = {}) => new Promise((resolve) => resolve(issue(chains, checkNext(options), deps))),
    scan: (options = {}) => scan(chains, options, deps),
  } satisfies Account)
}

/** Credits that are checked at a time. */
const CONCURRENT_CHECKS = 8

/** The followed addresses; an unused one that gets UTXOs extends them while there are subscribers. */
function followed$({ receive, change }: Chains, deps: AccountDeps): Observable<readonly string[]> {
  const states$ = combineLatest([receive.state$, change.state$]).pipe(
    filter((states): states is [AddressChain, AddressChain] => !states.includes(null)),
  )
  const addresses$ = states$.pipe(map(([r, c]) => [...receive.addresses(r), ...change.addresses(c)]))
  const unused$ = states$.pipe(map(([r, c]) => [...receive.unused(r), ...change.unused(c)]))
  const growth$ = deps.utxos$(unused$).pipe(
    tap((entries) => [receive, change].forEach((chain) => markSeen(chain, entries))),
    credited$(deps),
    tap(({ address = '' }) => [receive, change].forEach((chain) => markUsed(chain, address))),
    ignoreElements(),
  )
  return merge(addresses$, growth$)
}

/** The entries whose credit is in the chain. One that is not found is checked again with the next change. */
function credited$({ checkCredit }: AccountDeps): OperatorFunction<readonly UtxoEntry[], UtxoEntry> {
  return (entries$) => {
    const checked = new Set<OutpointKey>()
    const check = (entry: UtxoEntry): Observable<UtxoEntry> => {
      const key = toOutpointKey(entry.outpoint)
      return checkCredit(entry).pipe(
        catchError(() => EMPTY),
        finalize(() => checked.delete(key)),
      )
    }
    return entries$.pipe(
      mergeMap((entries) =>
        entries.filter(({ outpoint }) => {
          const key = toOutpointKey(outpoint)
          if (checked.has(key)) return false
          checked.add(key)
          return true
        }),
      ),
      mergeMap(check, CONCURRENT_CHECKS),
    )
  }
}

function keyPathOf({ receive, change }: Chains, path: string, address: string): string | undefined {
  const [received, changed] = [receive.derivedIndexOf(address), change.derivedIndexOf(address)]
  if (received !== undefined) return `${path}/0/${received}`
  return changed === undefined ? undefined : `${path}/1/${changed}`
}

/** One event for all: each change of a chain is an emission. */
function markSeen(chain: FollowedChain, entries: readonly UtxoEntry[]): void {
  const index = entries.reduce((last, { address = '' }) => Math.max(last, chain.indexOf(address) ?? -1), -1)
  if (index >= 0) chain.dispatch({ type: 'seen', index })
}

function markUsed(chain: FollowedChain, address: string): void {
  const index = chain.indexOf(address)
  if (index !== undefined) chain.dispatch({ type: 'used', index })
}

function issue(
  chains: Chains,
  { change: isChange, withinGap }: Required<NextAddressOptions>,
  { key, issued, network }: AccountDeps,
): AccountAddress {
  const chain = isChange ? chains.change : chains.receive
  const state = chain.state()
  if (state === null) throw notScanned()
  const id = `${network}/${key.id}/${isChange ? 1 : 0}`
  const index = Math.max(state.next, issued.get(id) ?? 0)
  if (index >= INDEX_END) throw invalidArgument('startIndex', 'The chain has no further index')
  if (withinGap) chain.dispatch({ type: 'limited' })
  if (withinGap && index >= state.used + state.gapLimit) throw beyondGap(state)
  issued.set(id, index + 1)
  chain.dispatch({ type: 'issued', index })
  return { address: chain.address(index), index }
}

async function scan({ receive, change }: Chains, options: ScanOptions, deps: AccountDeps): Promise<AccountScan> {
  const { gapLimit, maxAddresses, history, signal } = checkScan(options)
  requireNetwork(deps)
  const { findUsed, basis } = deps.openScan({ history, signal })
  const scanOne = ({ address }: FollowedChain): Promise<AccountAddress[]> =>
    scanChain({ gapLimit, maxAddresses, address, findUsed })
  const [received, changed] = await Promise.all([scanOne(receive), scanOne(change)])
  requireNetwork(deps)
  const end = (found: readonly AccountAddress[]): number => (found.at(-1)?.index ?? -1) + 1
  receive.dispatch({ type: 'scanned', end: end(received), gapLimit })
  change.dispatch({ type: 'scanned', end: end(changed), gapLimit })
  return { receive: received, change: changed, basis: basis() }
}

/** Testnets share their addresses, so that the node could not refuse them. */
function requireNetwork({ network, currentNetwork }: AccountDeps): void {
  if (network === currentNetwork()) return
  throw invalidArgument(
    'network',
    `The account is of ${network}, and the engine's network is ${currentNetwork()}`,
    'Create the account again after switchNetwork().',
  )
}

const notScanned = (): ChainError =>
  new ChainError('The next unused address is not known yet: the account was not scanned', {
    code: 'account-not-scanned',
    hint: 'Await account.scan(), or pass startIndex to fromExtendedPublicKey().',
  })

const beyondGap = ({ used, gapLimit }: AddressChain): ChainError =>
  new ChainError(`The next address is ${gapLimit} or more beyond the last used one`, {
    code: 'limit-exceeded',
    argument: 'withinGap',
    hint: `Other wallets look for payments below index ${used + gapLimit}. Show an earlier address again, or leave withinGap out and store each index.`,
  })
