import { isBuried } from './buried.js'
import {
  accepted,
  forgotten,
  isBlank,
  reconcile,
  remember,
  type Chain,
  type ChainBlock,
  type ChainOutcome,
  type ChainStep,
} from './chain.js'
import type { Acceptance, Told } from './phases.js'

/**
 * The chain after a step that brings the very block where the listener began, of which nothing was said so far: the node
 * told of it when it was listened to already, and its answer to where the chain stands was faster. Null for any other.
 */
export function precede(chain: Chain, { added }: ChainStep): ChainOutcome | null {
  const at = added.findIndex(({ hash }) => hash === chain[0]?.hash)
  if (at < 0 || chain[0] === undefined || !isBlank(chain[0])) return null
  const told = added.slice(0, at + 1)
  const whole = [...told, ...chain.slice(1)]
  return {
    chain: remember(whole),
    left: forgotten(whole),
    joined: told,
    changes: told.flatMap(accepted),
    depth: 'remembered',
  }
}

/**
 * A block that was told of, and that the chain does not hold though it was asked for since: it was overtaken by what the
 * listener began with, or its branch is lost. Undefined where there is none, or where a beginning lies too far back.
 */
export function findStray(
  { chain, buried, misplaced, past }: Acceptance,
  told: readonly Told[],
): ChainBlock | undefined {
  if (past === 'told') return undefined
  const known = new Set(chain.map(({ hash }) => hash))
  const isStray = ({ hash }: ChainBlock): boolean => !known.has(hash) && !isBuried(buried, hash)
  return [...told.flatMap((one) => (one === 'missed' ? [] : one.added)), ...misplaced].find(isStray)
}

/**
 * The chain with `stray` before its beginning, once the node has said all that comes after that: what follows was told of,
 * or should have been.
 */
export function leadUp(chain: Chain, stray: ChainBlock, after: ChainStep): ChainOutcome {
  const outcome = reconcile([stray, ...chain], stray.hash, after)
  return { ...outcome, changes: [...accepted(stray), ...outcome.changes] }
}
