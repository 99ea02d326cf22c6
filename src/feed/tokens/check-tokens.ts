import { invalidArgument, refuseUnknown } from '../../errors/chain-error.js'
import { defineToken, type DefinedToken } from '../../model/tokens/define-token.js'
import type { FeedOptions } from '../options.js'
import type { FeedToken } from './feed-token.js'

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
