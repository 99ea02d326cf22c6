import { redact } from '../../errors/redact.js'
import { ChainRpcError } from '../../errors/rpc-error.js'
import { ChainError } from '../../errors/chain-error.js'
import { backoff, type RetryPolicy } from '../connection/policy.js'
import type { Session } from '../session/establish.js'
import type { FollowScope } from './scope.js'
import type { LocatorEntry } from '../../model/chain-cursor/locator.js'

/** Reads that are repeated until they succeed, within a budget of time. */
export interface Attempts {
  /**
   * Waits for a connection and reads; repeats after a failed request and where the node is behind. Rejects with
   * `ChainRpcError` (`node-behind`) once connected nodes have failed for `timeout` ms in total, and at once with an
   * error that no retry resolves. A node whose response is malformed is left at once. `tries` counts the failures so
   * far.
   */
  run<T>(read: (session: Session, tries: number) => Promise<T | 'behind'>): Promise<T>
}

const RETRIES: Pick<RetryPolicy, 'baseDelay' | 'maxDelay' | 'factor' | 'jitter'> = {
  baseDelay: 500,
  maxDelay: 10_000,
  factor: 2,
  jitter: 0.5,
}

/** How long a node may be behind, in ms, before another endpoint is used. */
const LEAVE_AFTER = 10_000

interface AttemptOptions {
  /** Ms. */
  readonly timeout: number
  /** A request failed, perhaps because its response was too large. */
  readonly onFailure: () => void
  readonly onProblem?: ((problem: ChainProblem) => void) | undefined
}

export function createAttempts(scope: FollowScope, { timeout, onFailure, onProblem }: AttemptOptions): Attempts {
  const read = async <T>(
    session: Session,
    once: () => Promise<T | 'behind'>,
  ): Promise<{ readonly value: T } | { readonly error: unknown }> => {
    try {
      const value = await once()
      return value === 'behind'
        ? { error: new ChainError('The chain of the node does not reach the position') }
        : { value }
    } catch (error) {
      if (!isTransient(error)) throw error
      onFailure()
      if (error instanceof ChainRpcError && error.code === 'malformed') {
        onProblem?.({ type: 'malformed', url: redact(session.connection.endpoint.url), error })
        scope.leaveNode(session)
      }
      return { error }
    }
  }
  return {
    run: async (once) => {
      let failing = 0
      let leaveAt = LEAVE_AFTER
      for (let tries = 0; ; tries++) {
        const session = await scope.connected()
        const began = scope.now()
        const outcome = await read(session, () => once(session, tries))
        if ('value' in outcome) return outcome.value
        if (failing >= timeout) throw nodeBehind(outcome.error, timeout)
        const delay = backoff(tries + 1, { ...RETRIES, maxRetries: Infinity }, scope.random())
        await scope.pause(Math.min(delay, timeout - failing))
        failing += scope.now() - began
        if (failing >= leaveAt) {
          leaveAt = failing + LEAVE_AFTER
          scope.leaveNode(session)
        }
      }
    },
  }
}

/** The call failed for now: another connection, or the same one later, may succeed. */
const isTransient = (error: unknown): boolean => error instanceof ChainRpcError && error.code !== 'unsupported'

const nodeBehind = (cause: unknown, timeout: number): ChainRpcError =>
  new ChainRpcError('followChain', cause, {
    code: 'node-behind',
    message: `Could not follow the chain: for ${timeout} ms no node could continue it`,
    hint: `Check the node, add another url, or raise nodeBehindTimeout. If the newest followed block is of no chain, rewind: rewindTo, or onBehind: 'rewind'.`,
  })

/**
 * Why a followed chain stands still or goes back without a reorg. `behind`: the chain of the node does not reach the
 * position. `malformed`: a response of the node cannot be, and another endpoint is used where there is one. `rewound`:
 * the position was no block of the chain, so that the iteration goes on at an older one.
 */
export type ChainProblem =
  | {
      readonly type: 'behind'
      /** Without credentials. */
      readonly url: string
      /** The newest followed block. */
      readonly block: LocatorEntry
    }
  | { readonly type: 'malformed'; readonly url: string; readonly error: ChainRpcError }
  | {
      readonly type: 'rewound'
      /** The endpoints that do not have `block` on their chains. */
      readonly urls: readonly string[]
      readonly block: LocatorEntry
      /** The block at which the iteration goes on. */
      readonly to: LocatorEntry
    }
