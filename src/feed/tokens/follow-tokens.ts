import { ChainRpcError } from '../../errors/rpc-error.js'
import { createPause } from '../../loading/pause.js'
import { isLater, type ContractRow } from '../../model/contracts/rows.js'
import type { ChainNetwork } from '../../model/network.js'
import { toOutpointKey } from '../../model/utxo.js'
import { followRows, type OpenedRows } from '../../streams/contracts/follow-rows.js'
import { recogniserOf, toFind, type StartedCovenant } from '../../streams/contracts/start-rows.js'
import type { TransferBatch } from '../../streams/transfers/transfer.js'
import type { FeedEngine, FeedOptions, FeedToken } from '../options.js'
import type { FeedSession, StoredTokens, TokenStep } from '../sink.js'
import { invalidArgument, refuseUnknown } from '../../errors/chain-error.js'
import { defineToken, type DefinedToken } from '../../model/tokens/define-token.js'

/** A batch with what it changes of tokens. */
export interface TokenBatch extends TransferBatch {
  readonly tokens?: TokenStep | undefined
}

interface TokenContext {
  readonly tokens: readonly FollowedToken[]
  readonly session: Pick<FeedSession, 'readTokens'>
  readonly rpc: NonNullable<FeedEngine['rpc']>
  readonly network: ChainNetwork
  /** Whether the position is moved back, however far. */
  readonly isRewound: boolean
  readonly signal: AbortSignal
}

/** The tokens along the chain of the transfers, by the rules of contracts: the same batches, with their rows. */
export async function* followTokens(
  batches: AsyncIterable<TransferBatch>,
  context: TokenContext,
): AsyncGenerator<TokenBatch, undefined, undefined> {
  const covenants = context.tokens.map(toCovenant)
  const opened = { isOpen: false }
  const open = (first: TransferBatch): Promise<OpenedRows> | undefined => {
    const daaScore = scoreBefore(first)
    opened.isOpen = daaScore !== undefined
    return daaScore === undefined ? undefined : openTokens(daaScore, covenants, context)
  }
  for await (const step of followRows(batches, { covenants, constructed: () => [], open })) {
    const { rows, incomplete, blueScore: _, ...batch } = step
    yield opened.isOpen ? { ...batch, tokens: { rows, incomplete } } : batch
  }
  return undefined
}

const toCovenant = ({ covenantId, program: { contract }, genesis, snapshot }: FollowedToken): StartedCovenant => ({
  covenantId,
  contract,
  genesis,
  snapshot,
  begun: snapshot?.map(({ outpoint }) => toOutpointKey(outpoint)),
})

/** The DAA score at the position before the blocks of a batch; undefined where it has none. */
function scoreBefore({ rollback, blocks: [first] = [] }: TransferBatch): bigint | undefined {
  if (rollback !== null) return rollback.daaScore
  return first === undefined ? undefined : first.daaScore - 1n
}

/**
 * What is stored of tokens; of those whose beginning is not, what the UTXO set has now. It may be ahead of the position
 * with the DAA score: outputs of later blocks are awaited, those that are spent meanwhile are recognised.
 */
async function openTokens(
  daaScore: bigint,
  covenants: readonly StartedCovenant[],
  { session, rpc, network, isRewound, signal }: TokenContext,
): Promise<OpenedRows> {
  const stored = (await session.readTokens?.({ isWhole: isRewound })) ?? NOTHING
  const begun = new Set(stored.covenants.filter((id) => !stored.incomplete.includes(id)))
  const unknown = covenants.filter(({ covenantId }) => !begun.has(covenantId))
  // outputs of a snapshot that a reorg has undone, and may undo yet, come back in blocks that do not say what they are
  const recognise = recogniserOf(covenants.filter((one) => one.snapshot !== undefined || unknown.includes(one)))
  if (unknown.length === 0) return { start: { rows: [], known: stored.rows, incomplete: [] }, recognise }
  const { addresses, found } = toFind(unknown, network)
  const { rows, incomplete } = found(await untilConnected(signal, () => rpc.getUtxosByAddresses(addresses)))
  const known = new Set(stored.rows.filter(isProved).map(({ outpoint }) => toOutpointKey(outpoint)))
  const others = rows.filter(({ outpoint }) => !known.has(toOutpointKey(outpoint)))
  return {
    start: {
      known: stored.rows,
      rows: others.filter((row) => !isLater(row, daaScore)),
      awaited: others.filter((row) => isLater(row, daaScore)),
      incomplete,
    },
    recognise,
  }
}

const NOTHING: StoredTokens = { covenants: [], incomplete: [], rows: [] }

const isProved = ({ isForeign, state }: ContractRow): boolean => !isForeign && state !== null

/** What no retry resolves. */
const FINAL = /*#__PURE__*/ new Set(['disposed', 'unsupported', 'invalid-argument'])

/** Repeats what the node did not respond to: the connection is opened again, without end. */
async function untilConnected<T>(signal: AbortSignal, read: () => Promise<T>): Promise<T> {
  const pause = createPause(signal)
  for (;;)
    try {
      return await read()
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ChainRpcError) || FINAL.has(error.code)) throw error
      await pause.wait()
    }
}

/** A token that was checked, with what is known of it. */
export interface FollowedToken extends DefinedToken, Pick<FeedToken, 'snapshot'> {}

const NAMES = [
  'artifact',
  'genesis',
  'covenantId',
  'templateHash',
  'contract',
  'roles',
  'snapshot',
] satisfies (keyof FeedToken)[]

/**
 * The tokens of the options, by the rules of `createTokens`; undefined without any. Throws `ChainError` as
 * `defineToken` does, and `invalid-argument` where the sink or the engine cannot follow them.
 */
export function checkTokens({ tokens, sink, engine, onGap }: FeedOptions): readonly FollowedToken[] | undefined {
  if (tokens === undefined || tokens.length === 0) return undefined
  if (sink.hasTokenTables !== true)
    throw invalidArgument('tokens', 'The sink has no tables of tokens', 'Use createPostgresSink or createPgliteSink.')
  if (engine.rpc === undefined)
    throw invalidArgument(
      'engine',
      'The engine has no "rpc", which "tokens" needs',
      'Pass what createChainEngine returned.',
    )
  if (onGap === 'continue')
    throw invalidArgument(
      'onGap',
      '"onGap" is "continue": what a token continues in the gap would not be known',
      'Leave it out. After a gap, follow the tokens into another schema, with a snapshot of their outputs.',
    )
  const followed = tokens.map(toFollowed)
  const ids = new Set(followed.map(({ covenantId }) => covenantId))
  if (ids.size < followed.length) throw invalidArgument('tokens', '"tokens" names a token twice')
  return followed
}

function toFollowed(token: FeedToken): FollowedToken {
  refuseUnknown(token, NAMES)
  const { snapshot, ...definition } = token
  return { ...defineToken(definition), snapshot }
}
