import { combineLatest, distinctUntilChanged, map, of, switchMap, type Observable } from 'rxjs'
import type { ChainError } from '../../errors/chain-error.js'
import { tokenBalances, type TokenBalance } from '../../model/tokens/balances.js'
import type { AddedToken } from '../../model/tokens/define-token.js'
import type { TokenOwner } from '../../model/tokens/owner.js'
import type { TokenOutput, TokenState } from '../../model/tokens/token-state.js'
import type { InstanceView } from '../instance.js'
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
  owners: ReadonlyMap<string, TokenOwner>,
): Observable<readonly TokenBalances[]> =>
  tokens$.pipe(
    switchMap((tokens) =>
      tokens.length === 0
        ? of([])
        : combineLatest(
            tokens.map((token) => token.instance.view$.pipe(map((view) => toBalances(token, view, owners)))),
          ),
    ),
    distinctUntilChanged((before, after) => toText(before) === toText(after)),
  )

function toBalances(
  { covenantId, supply }: KnownToken,
  { outputs, isLive, isIncomplete, error }: InstanceView<unknown>,
  owners: ReadonlyMap<string, TokenOwner>,
): TokenBalances {
  const known = outputs.flatMap(({ outpoint, value, state, isUnconfirmed }): readonly TokenOutput[] =>
    state === null ? [] : [{ outpoint, value, state: state as TokenState, depth: isUnconfirmed ? 1 : 0 }],
  )
  const balances = tokenBalances(covenantId, known, owners)
  return { covenantId, supply, balances, isLive, isIncomplete, error }
}

const toText = (all: readonly TokenBalances[]): string =>
  JSON.stringify(all, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
