import { combineLatest, distinctUntilChanged, map, retry, scan, startWith, timer, type Observable } from 'rxjs'
import type { CoreParts } from '../../engine/core-parts.js'
import type { ChainEngine } from '../../engine/engine.js'
import { claimedStates } from '../../model/tokens/transfers.js'
import type { AddedToken } from '../../model/tokens/define-token.js'
import { ownerIn, type OwnersByFields } from '../../model/tokens/owner.js'
import type { ChainBatch, ChainBlock, ChainContractTransaction } from '../../streams/chain/batch.js'

/** Ms until the chain is followed again after a failure. */
const RETRY_INTERVAL = 5_000

/** Covenant ids with the blue score at which each came first. */
type Claims = ReadonlyMap<string, bigint>

const NONE: Claims = new Map<never, bigint>()

export interface UnknownTokensScope {
  readonly engine: Pick<ChainEngine, 'chainBatches$'>
  readonly core: Pick<CoreParts, 'platform'>
  readonly tokens$: Observable<readonly AddedToken[]>
}

/**
 * How many tokens that are not added have named one of the owners as their receiver, since the subscription. That
 * proves nothing, and nothing of them is read or loaded.
 */
export function unknownTokens$(
  { engine, core, tokens$ }: UnknownTokensScope,
  owners: OwnersByFields,
): Observable<number> {
  const claims$ = engine.chainBatches$({ detail: 'contracts' }).pipe(
    scan((claims: Claims, batch) => reduceClaims(claims, batch, owners), NONE),
    startWith(NONE),
    retry({ delay: () => timer(RETRY_INTERVAL, core.platform.scheduler) }),
  )
  return combineLatest([claims$, tokens$]).pipe(
    map(([claims, tokens]) => {
      const added = new Set(tokens.map(({ covenantId }) => covenantId))
      return [...claims.keys()].filter((id) => !added.has(id)).length
    }),
    distinctUntilChanged(),
  )
}

/** The claims after a batch; the same object where there is no new one. */
function reduceClaims(
  claims: Claims,
  { rollback, blocks }: ChainBatch<ChainBlock<ChainContractTransaction>>,
  owners: OwnersByFields,
): Claims {
  const kept = rollback === null ? claims : new Map([...claims].filter(([, score]) => score <= rollback.blueScore))
  const found = blocks.flatMap(({ blueScore, transactions }) =>
    transactions.flatMap((one) => receivedIn(one, owners)).map((id) => [id, blueScore] as const),
  )
  return found.length === 0 ? kept : new Map([...found.reverse(), ...kept])
}

/** The covenants of which a transaction claims to give something to the owners. */
const receivedIn = ({ inputs, outputs }: ChainContractTransaction, owners: OwnersByFields): readonly string[] =>
  inputs.flatMap(({ covenantId, signatureScript }) => {
    if (covenantId === undefined || !outputs.some(({ covenant }) => covenant?.covenantId === covenantId)) return []
    return claimedStates(signatureScript).some((state) => ownerIn(owners, state) !== undefined) ? [covenantId] : []
  })
