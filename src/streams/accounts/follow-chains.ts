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
  concatMap,
  from,
  switchMap,
  take,
} from 'rxjs'
import { toOutpointKey, type OutpointKey, type UtxoEntry, toScriptKey } from '../../model/utxo.js'
import type { AddressChain, FollowedChain } from './address-chain.js'
import { transactionId as idOf } from '../../model/transaction-id.js'
import type { RpcBlock } from '../../node/messages/records.js'
import type { NodeLink } from '../session/node-link.js'
import type { FollowTransaction } from '../status/transaction-status.js'

export interface FollowDeps {
  /** The UTXOs of the addresses, whenever they change. */
  readonly utxos$: (addresses$: Observable<readonly string[]>) => Observable<readonly UtxoEntry[]>
  readonly checkCredit: CheckCredit
}

/** Credits that are checked at a time. */
const CONCURRENT_CHECKS = 8

/**
 * The followed addresses of the chains of an account; an unused one that gets UTXOs extends them while there are
 * subscribers.
 */
export function followChains(
  chains: readonly FollowedChain[],
  { utxos$, checkCredit }: FollowDeps,
): Observable<readonly string[]> {
  const states$ = combineLatest(chains.map(({ state$ }) => state$)).pipe(
    filter((states): states is AddressChain[] => !states.includes(null)),
  )
  const listed = (of: 'addresses' | 'unused') =>
    states$.pipe(map((states) => chains.flatMap((chain, at) => addressesOf(chain, states[at], of))))
  const growth$ = utxos$(listed('unused')).pipe(
    tap((entries) => chains.forEach((chain) => markSeen(chain, entries))),
    credited$(checkCredit),
    tap(({ address = '' }) => chains.forEach((chain) => markUsed(chain, address))),
    ignoreElements(),
  )
  return merge(listed('addresses'), growth$)
}

const addressesOf = (
  chain: FollowedChain,
  state: AddressChain | undefined,
  of: 'addresses' | 'unused',
): readonly string[] => (state === undefined ? [] : chain[of](state))

/** The entries whose credit is in the chain. One that is not found is checked again with the next change. */
function credited$(checkCredit: CheckCredit): OperatorFunction<readonly UtxoEntry[], UtxoEntry> {
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

/** One event for all: each change of a chain is an emission. */
function markSeen(chain: FollowedChain, entries: readonly UtxoEntry[]): void {
  const index = entries.reduce((last, { address = '' }) => Math.max(last, chain.indexOf(address) ?? -1), -1)
  if (index >= 0) chain.dispatch({ type: 'seen', index })
}

function markUsed(chain: FollowedChain, address: string): void {
  const index = chain.indexOf(address)
  if (index !== undefined) chain.dispatch({ type: 'used', index })
}

/** Emits the entry once its credit is in the chain; completes without a value where it is not found. May error. */
type CheckCredit = (entry: UtxoEntry) => Observable<UtxoEntry>

interface CreditDeps extends Pick<NodeLink, 'call'> {
  readonly status: FollowTransaction
}

/** Blue score from the accepting block to the sink from which on a credit counts. */
const CONFIRMATIONS = 10

/** Ms after which the check of a credit that no chain block shows ends, until the next change of the UTXOs. */
const TIMEOUT = 60_000

/**
 * Checks a credit against the chain: a block that is deep enough accepts the transaction, a merged block has it, its id
 * is the hash of what it pays, and that is the entry. The UTXO index alone proves nothing: a node may report any entry.
 */
export const createCreditCheck =
  ({ status, call }: CreditDeps): CheckCredit =>
  (entry) =>
    status(entry.outpoint.transactionId, { confirmations: CONFIRMATIONS, timeout: TIMEOUT }).pipe(
      map(({ confirmations, acceptingBlockHash }) => (confirmations >= CONFIRMATIONS ? acceptingBlockHash : null)),
      filter((hash) => hash !== null),
      take(1),
      switchMap((hash) => mergedBlocks$(hash, call)),
      filter((block) => isCreditedBy(block, entry)),
      map(() => entry),
      take(1),
    )

/** The blocks that a chain block merged, with their transactions. */
const mergedBlocks$ = (hash: string, call: NodeLink['call']): Observable<RpcBlock> =>
  call('getBlock', { hash, includeTransactions: false }).pipe(
    mergeMap(({ block: { verboseData } }) =>
      from([...(verboseData?.mergeSetBluesHashes ?? []), ...(verboseData?.mergeSetRedsHashes ?? [])]),
    ),
    concatMap((merged) => call('getBlock', { hash: merged, includeTransactions: true })),
    map(({ block }) => block),
  )

function isCreditedBy(
  { transactions, verboseData }: RpcBlock,
  { outpoint, amount, scriptPublicKey }: UtxoEntry,
): boolean {
  const position = verboseData?.transactionIds.indexOf(outpoint.transactionId) ?? -1
  const transaction = transactions[position]
  const output = transaction?.outputs[outpoint.index]
  if (transaction === undefined || output === undefined) return false
  return (
    output.value === amount &&
    toScriptKey(output.scriptPublicKey) === toScriptKey(scriptPublicKey) &&
    idOf(transaction) === outpoint.transactionId
  )
}
