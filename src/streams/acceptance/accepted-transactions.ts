import { connect, merge, takeUntil, type Observable } from 'rxjs'
import { invalidArgument } from '../../errors/chain-error.js'
import { isHex } from '../../model/hex.js'
import type { NodeLink } from '../session/node-link.js'
import type { AcceptanceStreams } from './acceptance.js'
import type { AcceptanceChange, AcceptedTransactionsOptions, SendersResolved } from './change.js'
import { MAX_QUEUED, resolveSenders$, type ResolveDeps } from './resolve-senders.js'

/**
 * Transactions accepted and reverted by the virtual chain, in its order, each once: a reorg first reverts what the
 * removed chain blocks accepted, then emits what the added ones accept. Changes of an outage are backfilled after it;
 * what cannot be backfilled is reported in `gaps$`. Hot; without options shared by all. Replays nothing: starts at the
 * current chain, or after `from` with the first subscriber of the call. Never errors, completes with the engine. With
 * `includeSenderAddresses`, senders follow once resolved, without delaying changes; where the node is slower than the
 * chain, only the newest 100,000 queued transactions are resolved. Throws `ChainError` (`invalid-argument`) for a
 * `from` that is not a hash.
 */
export interface AcceptedTransactions {
  (options?: WithoutSenders): Observable<AcceptanceChange>
  (options: AcceptedTransactionsOptions): Observable<AcceptanceChange | SendersResolved>
}

type WithoutSenders = Pick<AcceptedTransactionsOptions, 'from'> & {
  readonly includeSenderAddresses?: false | undefined
}

export function createAcceptedTransactions(
  deps: Pick<AcceptanceStreams, 'changes$' | 'changesSince$'> & Pick<NodeLink, 'ended$'> & ResolveDeps,
): AcceptedTransactions {
  function accepted$(options?: WithoutSenders): Observable<AcceptanceChange>
  function accepted$(options: AcceptedTransactionsOptions): Observable<AcceptanceChange | SendersResolved>
  function accepted$({ from, includeSenderAddresses = false }: AcceptedTransactionsOptions = {}): Observable<
    AcceptanceChange | SendersResolved
  > {
    const changes$ = from === undefined ? deps.changes$ : deps.changesSince$(toHash(from))
    if (!includeSenderAddresses) return changes$
    return changes$.pipe(
      connect((shared$) => merge(shared$, resolveSenders$(shared$, MAX_QUEUED, deps))),
      takeUntil(deps.ended$), // senders may still be pending
    )
  }
  return accepted$
}

function toHash(from: string): string {
  const hash = from.toLowerCase()
  if (isHex(hash, 32)) return hash
  throw invalidArgument('from', `"from" is ${from}: give the hash of a chain block, 64 hex digits`)
}
