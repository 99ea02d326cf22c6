import {
  filter,
  firstValueFrom,
  map,
  merge,
  timer,
  combineLatest,
  distinctUntilChanged,
  retry,
  scan,
  startWith,
  type Observable,
} from 'rxjs'
import type { CoreParts } from '../../engine/core-parts.js'
import { ChainError } from '../../errors/chain-error.js'
import { stateUnknown } from '../../errors/contract-errors.js'
import { abort$ } from '../../loading/abortable.js'
import {
  defineToken,
  type DefinedToken,
  type TokenDefinition,
  type AddedToken,
} from '../../model/tokens/define-token.js'
import type { DescribedCall } from '../../operations/contracts/contract-call.js'
import type { SpentToken } from '../../operations/tokens/describe-transfer.js'
import type { Contracts } from '../create-contracts.js'
import type { Beginning } from '../follow-store.js'
import type { ContractInstance } from '../instance.js'
import type { ChainEngine } from '../../engine/engine.js'
import { claimedStates } from '../../model/tokens/transfers.js'
import { ownerIn, type OwnersByFields } from '../../model/tokens/owner.js'
import type { ChainBatch, ChainBlock, ChainContractTransaction } from '../../streams/chain/batch.js'

/** A token to add, and from where it is followed. */
export interface TokenSource extends TokenDefinition, Beginning {}

/** A token that is followed. */
export interface KnownToken extends DefinedToken, SpentToken {
  readonly instance: ContractInstance
}

/** Ms until the chain has to be read, to plan a transfer. */
const LIMIT = 60_000

/**
 * Checks a token. Throws `ChainError`: `invalid-artifact` for a program that is no token, `genesis-mismatch` with both
 * ids, `invalid-argument`.
 */
export function addToken(core: CoreParts, contracts: Contracts, source: TokenSource): KnownToken {
  const { from, snapshot, ...definition } = source
  const token = defineToken(definition)
  const instance = contracts.instance(token.program.contract, token.genesis as never, { from, snapshot })
  return { ...token, instance, ...spending(core, instance) }
}

/** What a transfer needs of the instance. */
function spending(
  core: CoreParts,
  { call, covenantId, view$ }: ContractInstance,
): Pick<KnownToken, 'target' | 'ready'> {
  const [described] = Object.values(call).map((describe) => describe({}) as DescribedCall)
  if (described === undefined) throw new TypeError('A token has entries')
  const { target } = described // the same for all entries
  return {
    target,
    ready: async (signal) => {
      const ended$ = merge(abort$(signal), timer(LIMIT, core.platform.scheduler), core.ended$).pipe(map(() => null))
      const followed$ = view$.pipe(filter(({ isLive, error }) => isLive || error !== null))
      const view = await firstValueFrom(merge(followed$, ended$), { defaultValue: null })
      if (signal?.aborted === true) throw aborted(signal.reason)
      if (view === null) throw notFollowed(covenantId)
      if (view.error !== null) throw view.error
      return !view.isIncomplete
    },
  }
}

const aborted = (cause: unknown): ChainError => new ChainError('The transfer was aborted', { code: 'aborted', cause })

const notFollowed = (covenantId: string): ChainError =>
  stateUnknown(
    `The outputs of the token ${covenantId} are not known`,
    'The chain was not read within a minute: connect, then plan the transfer again.',
  )

/** Ms until the chain is followed again after a failure. */
const RETRY_INTERVAL = 5_000

/** Covenant ids with the blue score at which each came first. */
type Claims = ReadonlyMap<string, bigint>

const NONE: Claims = new Map<never, bigint>()

interface UnknownTokensScope {
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
