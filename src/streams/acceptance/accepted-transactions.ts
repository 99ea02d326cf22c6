import { connect, merge, takeUntil, type Observable } from 'rxjs'
import { refuseUnknown } from '../../errors/chain-error.js'
import { decodeCursor } from '../../model/chain-cursor/cursor.js'
import { isHex } from '../../model/hex.js'
import type { ChainNetwork } from '../../model/network.js'
import type { ChainStart } from '../chain/settings.js'
import type { NodeLink } from '../session/node-link.js'
import type { AcceptanceStreams } from './acceptance.js'
import type { AcceptanceChange, AcceptedTransactionsOptions, SendersResolved } from './change.js'
import { MAX_QUEUED, resolveSenders$, type ResolveDeps } from './resolve-senders.js'

/**
 * Transactions accepted and reverted by the virtual chain, in its order, each once: a reorg first emits its rollback
 * and reverts what the removed chain blocks accepted, then emits what the added ones accept. Changes of an outage are
 * backfilled after it; what cannot be backfilled is reported in `gaps$`. Hot; without options shared by all. Replays
 * nothing: starts at the current chain, or after `from` with the first subscriber of the call. Never errors, completes
 * with the engine. With `includeSenderAddresses`, senders follow once resolved, without delaying changes; where the
 * node is slower than the chain, only the newest 100,000 queued transactions are resolved. Throws `ChainError`
 * (`invalid-argument`) for a `from` that is neither a cursor of this network nor a hash, and for an unknown option. To
 * store a position use `chainBatches$` or `followChain`, whose batches carry cursors.
 */
export interface AcceptedTransactions {
  (options?: {
    readonly from?: string | undefined
    readonly includeSenderAddresses?: false | undefined
  }): Observable<AcceptanceChange>
  (options: AcceptedTransactionsOptions): Observable<AcceptanceChange | SendersResolved>
}

type WithoutSenders = AcceptedTransactionsOptions & { readonly includeSenderAddresses?: false | undefined }

export function createAcceptedTransactions(
  deps: Pick<AcceptanceStreams, 'changes$' | 'changesSince$'> & Pick<NodeLink, 'ended$' | 'network'> & ResolveDeps,
): AcceptedTransactions {
  function accepted$(options?: WithoutSenders): Observable<AcceptanceChange>
  function accepted$(options: AcceptedTransactionsOptions): Observable<AcceptanceChange | SendersResolved>
  function accepted$(options: AcceptedTransactionsOptions = {}): Observable<AcceptanceChange | SendersResolved> {
    refuseUnknown(options, ['from', 'includeSenderAddresses'])
    const { from, includeSenderAddresses = false } = options
    const changes$ = from === undefined ? deps.changes$ : deps.changesSince$(toStart(from, deps.network()))
    if (!includeSenderAddresses) return changes$
    return changes$.pipe(
      connect((shared$) => merge(shared$, resolveSenders$(shared$, MAX_QUEUED, deps))),
      takeUntil(deps.ended$), // senders may still be pending
    )
  }
  return accepted$
}

/** A cursor is longer than a hash. */
const toStart = (from: string, network: ChainNetwork): ChainStart =>
  isHex(from.toLowerCase(), 32)
    ? { type: 'block', hash: from.toLowerCase() }
    : { type: 'cursor', locator: decodeCursor(from, network, 'from') }
