import { catchError, defer, map, of, switchMap, type Observable } from 'rxjs'
import { toValue, type ComputedRef, type MaybeRefOrGetter, computed } from 'vue'
import type { TokenBalances } from '../../../contracts/tokens/owned-tokens.js'
import { type Tokens, createTokens } from '../../../contracts/tokens/create-tokens.js'
import { feature, type CoreParts } from '../../../engine/core-parts.js'
import type { TokenOwner } from '../../../model/tokens/owner.js'
import { toStream, useStream } from '../bridges/stream-refs.js'
import { useCore } from '../plugin/core.js'
import { joinEngine } from '../../../engine/engine.js'
import { appContracts } from './useContracts.js'

export interface UseTokensReturn {
  /**
   * What the owners have of each token that the app has added, with the KAS that its outputs hold (`lockedKas`). Empty
   * on a server.
   */
  readonly balances: ComputedRef<readonly TokenBalances[]>
  /**
   * How many tokens that the app has not added have named one of the owners as their receiver since it was first read:
   * follows the whole chain from then on.
   */
  readonly unknown: ComputedRef<number>
  /** The app's tokens: `add`, `transfer`, `merge`, `history`. The same object in all components. */
  readonly tokens: Tokens
}

/**
 * Tokens of KCC-20 of some owners, addresses or covenants. Followed once a value is read, for all components together.
 * Where an owner is none, reading throws `ChainError` (`invalid-argument`), until the owners change.
 */
export function useTokens(owners: MaybeRefOrGetter<TokenOwner | readonly TokenOwner[]> = NO_OWNERS): UseTokensReturn {
  const tokens = feature(useCore('useTokens'), appTokens)
  const owners$ = toStream(() => toValue(owners))
  const balances = useStream(owners$.pipe(switchMap((some) => attempt$(() => tokens.balances$(some)))), () => NONE)
  const unknown = useStream(owners$.pipe(switchMap((some) => attempt$(() => tokens.unknown$(some)))), () => 0)
  return { balances: computed(() => balances.value()), unknown: computed(() => unknown.value()), tokens }
}

/** Its values as functions, the last of which throws what it errors with: later owners are followed. */
const attempt$ = <T>(open: () => Observable<T>): Observable<() => T> =>
  defer(open).pipe(
    map((value) => () => value),
    catchError((error: unknown) =>
      of((): T => {
        throw error
      }),
    ),
  )

const NO_OWNERS: readonly TokenOwner[] = []
const NONE: readonly TokenBalances[] = []

/** The tokens of an app: one list for all of its components, with the app's contracts. */
const appTokens = (core: CoreParts): Tokens =>
  createTokens({ engine: feature(core, joinEngine), contracts: feature(core, appContracts) })
