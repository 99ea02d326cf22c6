import { BehaviorSubject, takeUntil, type Observable } from 'rxjs'
import { partsOf } from '../../engine/core-parts.js'
import type { ChainEngine } from '../../engine/engine.js'
import { invalidArgument, refuseUnknown } from '../../errors/chain-error.js'
import type { ContractRow } from '../../model/contracts/rows.js'
import { isValidAddress } from '../../model/address.js'
import type { AddedToken } from '../../model/tokens/define-token.js'
import { ownersByFields, receiverOf, type TokenOwner } from '../../model/tokens/owner.js'
import type { ContractCall } from '../../operations/contracts/contract-call.js'
import { describeTransfer } from '../../operations/tokens/describe-transfer.js'
import type { FollowChainOptions } from '../../streams/chain/options.js'
import { createContracts, type Contracts } from '../create-contracts.js'
import { addToken, type KnownToken, type TokenSource, unknownTokens$ } from './added-token.js'
import { tokenBalances$, type TokenBalances, tokenHistory, type TokenBatches } from './owned-tokens.js'

/** Tokens of KCC-20 on the network of an engine. */
export interface Tokens {
  /**
   * Adds a token by its artifact and the record of its genesis. Reads nothing. Added again, it stays the same. Throws
   * `ChainError`: `genesis-mismatch` with both ids where the record proves another covenant than `covenantId`;
   * `invalid-artifact` for a program that is no token, or another one than `templateHash`; `invalid-argument`.
   */
  add(source: TokenSource): AddedToken
  /**
   * What owners have of each token that is added. Hot per subscriber; follows the chain while there are subscribers, as
   * `instance.view$` does. Emits only changes. Never errors: a failure is `error` of the token; completes with the
   * engine. Throws `ChainError` (`invalid-argument`) for what is no owner.
   */
  balances$(owners: TokenOwner | readonly TokenOwner[]): Observable<readonly TokenBalances[]>
  /**
   * Describes a transfer, to be planned with `contracts.transaction`, which selects the outputs, merges them first
   * where they are too many, and rejects with `ChainError`: `insufficient-tokens`, `not-fungible`, `too-fragmented`,
   * `unsupported-owner`, `state-unknown`. Reads nothing. Throws `ChainError`: `unsupported-owner` where the artifact
   * names the owners that it supports, `invalid-argument`.
   */
  transfer(transfer: TokenTransferOptions): ContractCall
  /** Describes the merge of all outputs of some owners into one, which frees the KAS of the others. As `transfer`. */
  merge(merge: TokenMergeOptions): ContractCall
  /**
   * What owners have received and spent, along the chain, in batches, each with a cursor to store with its rows and
   * transfers: what a reorg removed is undone first, also after a restart or on another node. Rejects as
   * `contracts.follow` does.
   */
  history(options: TokenHistoryOptions): TokenBatches
  /**
   * How many tokens that are not added have named one of the owners as their receiver, since the subscription. They
   * prove nothing and are not shown. Follows the whole chain while there are subscribers. Emits only changes. Never
   * errors; completes with the engine.
   */
  unknown$(owners: TokenOwner | readonly TokenOwner[]): Observable<number>
}

export interface TokenMergeOptions {
  /** The covenant id of a token that was added. */
  readonly token: string
  /** Whose tokens. @default those of the address that gets the change */
  readonly from?: TokenOwner | readonly TokenOwner[] | undefined
  /** Which of several kinds, hex. @default the only one */
  readonly extensionCommitment?: string | undefined
  /** Transactions that merge outputs first, at most. @default 10 */
  readonly maxMerges?: number | undefined
}

export interface TokenTransferOptions extends TokenMergeOptions {
  /** Who receives. A script or a covenant only where the program supports it. */
  readonly to: TokenOwner
  /** In units of the token, above zero. */
  readonly amount: bigint
  /** Sompi that the output of the receiver holds: they are the receiver's. @default 1 KAS */
  readonly value?: bigint | undefined
}

export interface TokenHistoryOptions extends Omit<FollowChainOptions, 'detail'> {
  readonly owners: TokenOwner | readonly TokenOwner[]
  /** Covenant ids. @default all tokens that are added */
  readonly tokens?: readonly string[] | undefined
  /** With a cursor: the rows that were stored with it, spent ones included. */
  readonly rows?: readonly ContractRow[] | undefined
}

export interface TokensOptions {
  readonly engine: ChainEngine
  /** The contracts of the app, so that their unsigned plans can be restored. @default its own */
  readonly contracts?: Contracts | undefined
}

/** Merging transactions that a transfer makes by default. */
const MAX_MERGES = 10

/** Creates the tokens of an engine. Throws `ChainError` (`invalid-argument`). */
export function createTokens(options: TokensOptions): Tokens {
  refuseUnknown(options, ['engine', 'contracts'])
  const { engine } = options
  const contracts = options.contracts ?? createContracts({ engine })
  const core = partsOf(engine)
  const tokens$ = new BehaviorSubject<readonly KnownToken[]>([])
  const find = (covenantId: string): KnownToken => {
    const found = tokens$.value.find((token) => token.covenantId === covenantId)
    if (found === undefined) throw invalidArgument('token', 'The token was not added', 'Call add() first.')
    return found
  }
  const describe = (given: TokenMergeOptions, to?: TokenTransferOptions): ContractCall => {
    const token = find(given.token)
    const { from, extensionCommitment, maxMerges = MAX_MERGES } = given
    const owners = from === undefined ? undefined : toList(from)
    if (owners !== undefined) ownersByFields(owners, 'from')
    const request = { from: owners, extensionCommitment, maxMerges }
    if (to === undefined) return describeTransfer(token, { ...request, to, amount: undefined, value: undefined }, {})
    const { amount, value } = to
    if (typeof amount !== 'bigint' || amount <= 0n)
      throw invalidArgument('amount', '"amount" must be a bigint above zero, in units of the token')
    const receiver = receiverOf(to.to, token.program)
    if (typeof to.to === 'string' && !isValidAddress(to.to, core.network()))
      throw invalidArgument('to', '"to" is an address of another network', `The app is on ${core.network()}.`)
    return describeTransfer(token, { ...request, to: receiver, amount, value }, { to: to.to, amount })
  }
  return {
    add(source) {
      refuseUnknown(source, SOURCE)
      const added = addToken(core, contracts, source)
      const { covenantId, supply } = added
      const isAdded = tokens$.value.some((token) => token.covenantId === covenantId)
      if (!isAdded) tokens$.next([...tokens$.value, added])
      return { covenantId, supply }
    },
    balances$: (owners) => tokenBalances$(tokens$, ownersByFields(toList(owners))).pipe(takeUntil(core.ended$)),
    transfer(given) {
      refuseUnknown(given, [...MERGE, 'to', 'amount', 'value'])
      return describe(given, given)
    },
    merge(given) {
      refuseUnknown(given, MERGE)
      return describe(given)
    },
    history({ owners, tokens, rows = [], ...chain }) {
      const followed = tokens === undefined ? tokens$.value : tokens.map(find)
      const instances = followed.map(({ program: { contract }, genesis, covenantId }) => ({
        contract,
        genesis,
        snapshot: chain.cursor === undefined ? undefined : rows.filter((row) => row.covenantId === covenantId),
      }))
      return tokenHistory(contracts.follow({ ...chain, instances }), rows, ownersByFields(toList(owners)))
    },
    unknown$: (owners) =>
      unknownTokens$({ engine, core, tokens$ }, ownersByFields(toList(owners))).pipe(takeUntil(core.ended$)),
  }
}

const SOURCE = ['artifact', 'genesis', 'covenantId', 'templateHash', 'contract', 'roles', 'from', 'snapshot']
const MERGE = ['token', 'from', 'extensionCommitment', 'maxMerges']

const toList = (owners: TokenOwner | readonly TokenOwner[]): readonly TokenOwner[] =>
  Array.isArray(owners) ? (owners as readonly TokenOwner[]) : [owners as TokenOwner]
