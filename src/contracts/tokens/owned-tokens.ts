import { combineLatest, distinctUntilChanged, map, of, scan, switchMap, type Observable } from 'rxjs'
import type { ChainError } from '../../errors/chain-error.js'
import { changesOf } from '../../model/changes.js'
import { reduceBalances, type TokenBalance } from '../../model/tokens/amounts.js'
import type { AddedToken } from '../../model/tokens/define-token.js'
import type { OwnersByFields } from '../../model/tokens/owner.js'
import type { TokenOutput, TokenState } from '../../model/tokens/token-program.js'
import type { ContractOutput, InstanceView } from '../instance.js'
import type { KnownToken } from './added-token.js'
import { deferIteration } from '../../loading/lazy-methods.js'
import { pruneRows, putRows, rollbackRows, type ContractRow, type ContractRows } from '../../model/contracts/rows.js'
import { newTransfers, type TokenTransfer } from '../../model/tokens/transfers.js'
import type { ContractBatch, ContractBatches } from '../../streams/contracts/follow-contracts.js'

/** What some owners have of a token, and how much of it is known. */
export interface TokenBalances extends AddedToken {
  /** One for each extension commitment, which most tokens have one of; none where the owners have nothing. */
  readonly balances: readonly TokenBalance[]
  /** Whether the end of the chain was reached: before, newer transfers may be unknown. */
  readonly isLive: boolean
  /** Whether outputs may be unknown, because the beginning of the token was not read: no empty balance. */
  readonly isIncomplete: boolean
  /** Why the token is not followed any more. */
  readonly error: ChainError | null
}

/** The balances of owners in all tokens that are added, in the order in which they were. */
export const tokenBalances$ = (
  tokens$: Observable<readonly KnownToken[]>,
  owners: OwnersByFields,
): Observable<readonly TokenBalances[]> =>
  tokens$.pipe(
    switchMap((tokens) =>
      tokens.length === 0
        ? of([])
        : combineLatest(
            tokens.map((token) =>
              token.instance.view$.pipe(
                distinctUntilChanged(isSame), // most blocks have no transfer
                scan<InstanceView<unknown>, CountedView, null>(
                  (last, view) => reduceView(last, view, token, owners),
                  null,
                ),
                map(({ view: { isLive, isIncomplete, error }, balances }) => {
                  const { covenantId, supply } = token
                  return { covenantId, supply, balances, isLive, isIncomplete, error }
                }),
              ),
            ),
          ),
    ),
    distinctUntilChanged((before, after) => toText(before) === toText(after)),
  )

/** Whether two views have the same balances. */
const isSame = (before: InstanceView<unknown>, after: InstanceView<unknown>): boolean =>
  before.outputs === after.outputs &&
  before.isLive === after.isLive &&
  before.isIncomplete === after.isIncomplete &&
  before.error === after.error

/** A view, with the balances of its outputs. */
interface CountedView {
  readonly view: InstanceView<unknown>
  readonly balances: readonly TokenBalance[]
}

/** The balances after a view, from those after the last one: it shares the outputs that have not changed. */
function reduceView(
  last: CountedView | null,
  view: InstanceView<unknown>,
  { covenantId }: KnownToken,
  owners: OwnersByFields,
): CountedView {
  const { removed, added } = changesOf(last?.view.outputs ?? [], view.outputs)
  const changes = { removed: removed.flatMap(toTokenOutput), added: added.flatMap(toTokenOutput) }
  return { view, balances: reduceBalances(last?.balances ?? [], covenantId, changes, owners) }
}

const toTokenOutput = ({ outpoint, value, state, isUnconfirmed }: ContractOutput<unknown>): readonly TokenOutput[] =>
  state === null ? [] : [{ outpoint, value, state: state as TokenState, depth: isUnconfirmed ? 1 : 0 }]

const toText = (all: readonly TokenBalances[]): string =>
  JSON.stringify(all, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))

/**
 * One step along the chain: store `cursor` together with rows and transfers. A rollback deletes transfers whose
 * `cause.blueScore` is above its own.
 */
export interface TokenBatch extends ContractBatch {
  /** What the owners have received and spent, each once. */
  readonly transfers: readonly TokenTransfer[]
}

/** Batches of transfers, pulled one by one. `return()` and `signal` release everything at once. */
export type TokenBatches = AsyncIterableIterator<TokenBatch, undefined, undefined>

/** The batches of some tokens with the transfers of owners, after the rows that were stored with a cursor. */
export const tokenHistory = (
  batches: ContractBatches,
  stored: readonly ContractRow[],
  owners: OwnersByFields,
): TokenBatches =>
  deferIteration(() => {
    const transfers = withTransfers(batches, stored, owners)
    return Promise.resolve({
      [Symbol.asyncIterator]() {
        return this
      },
      next: () => transfers.next(),
      return: async () => {
        await batches.return?.() // also while the next batch is awaited
        return transfers.return(undefined)
      },
    })
  })

async function* withTransfers(
  batches: ContractBatches,
  stored: readonly ContractRow[],
  owners: OwnersByFields,
): AsyncGenerator<TokenBatch, undefined, undefined> {
  let rows: ContractRows = putRows(new Map<never, ContractRow>(), stored)
  for await (const batch of batches) {
    if (batch.rollback !== null) rows = rollbackRows(rows, batch.rollback.blueScore, batch.rollback.daaScore)
    const transfers = newTransfers(rows, batch.rows, owners)
    rows = pruneRows(putRows(rows, batch.rows), highestOf(batch.rows))
    yield { ...batch, transfers }
  }
  return undefined
}

const highestOf = (rows: readonly ContractRow[]): bigint =>
  rows.reduce((highest, { createdBy, spentBy }) => {
    const score = (spentBy ?? createdBy)?.blueScore ?? 0n
    return score > highest ? score : highest
  }, 0n)
