import { combineLatest, distinctUntilChanged, map, of, scan, switchMap, type Observable } from 'rxjs'
import type { ChainError } from '../../errors/chain-error.js'
import { changesOf } from '../../model/changes.js'
import { reduceBalances, type TokenBalance } from '../../model/tokens/amounts.js'
import type { AddedToken } from '../../model/tokens/define-token.js'
import type { OwnersByFields } from '../../model/tokens/owner.js'
import type { TokenOutput, TokenState } from '../../model/tokens/token-program.js'
import type { ContractOutput, InstanceView } from '../instance.js'
import type { KnownToken } from './added-token.js'

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
