import { connect, merge, takeUntil, type Observable } from 'rxjs'
import { invalidArgument } from '../../errors/chain-error.js'
import { isHex } from '../../model/hex.js'
import type { NodeLink } from '../session/node-link.js'
import type { AcceptanceStreams } from './acceptance.js'
import type { AcceptanceChange, AcceptedTransactionsOptions, SendersResolved } from './change.js'
import { BACKLOG, resolveSenders$, type ResolveDeps } from './resolve-senders.js'

/**
 * What the virtual chain accepts and takes back, in its order: a reorg first takes back what removed chain blocks had
 * accepted, then accepts anew. What was accepted during an outage follows once it is over, and nothing is said twice; what
 * could not be made whole is in `gaps$`. Hot; without options shared by all. Replays nothing: it begins where the chain
 * stands, or at `from`, and does so for the first subscriber of each call that gives one. Never errors, completes with the
 * engine. With `includeSenderAddresses`, who paid follows as soon as it is known, and never holds up what is accepted; where
 * the node is slower than the chain, it is asked of the newest 100,000 that wait. Throws `ChainError` (`invalid-argument`)
 * for a `from` that is no hash.
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
      connect((shared$) => merge(shared$, resolveSenders$(shared$, BACKLOG, deps))),
      takeUntil(deps.ended$), // who paid may still be under way
    )
  }
  return accepted$
}

function toHash(from: string): string {
  const hash = from.toLowerCase()
  if (isHex(hash, 32)) return hash
  throw invalidArgument('from', `"from" is ${from}: give the hash of a chain block, 64 hex digits`)
}
