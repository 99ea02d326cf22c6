import { ChainRpcError } from '../../errors/rpc-error.js'
import { locatorAt, type LocatorEntry } from '../../model/chain-cursor/locator.js'
import { isUnavailable } from '../failed-requests.js'
import type { Session } from '../session/establish.js'
import { redact } from '../../errors/redact.js'
import { agreedPart } from './agreement.js'
import { createAttempts, type ChainProblem } from './attempts.js'
import { FollowedBranch } from './followed-branch.js'
import {
  isPruned,
  passGap,
  readPruningPoint,
  type MissingPosition,
  isKnownElsewhere,
  resolveBehind,
  readRewindTarget,
} from './new-position.js'
import { readBlock, readSink } from './header.js'
import {
  type FollowedTransactions,
  addPage,
  asRecovered,
  chainStateAt,
  isEmptyState,
  rewindTo,
  type ChainState,
} from './reduce-chain.js'
import { createPageSize } from './read-segment.js'
import { readChain } from './read-chain.js'
import type { FollowScope } from './scope.js'
import type { FollowSettings } from './options.js'

type State = ChainState<FollowedTransactions>

/** Reads a followed chain page by page, for as long as it takes. */
export interface ChainReader {
  /** The state at the start of the iteration. */
  start(): Promise<State>
  /** The state after the next page; waits where there is nothing new. */
  next(state: State): Promise<State>
}

/** How long after a page at the tip, in ms, only a few blocks can be new. */
const RECENT = 5_000

/**
 * A block so near below the sink, in blue score, may not have reached the node yet: it is requested some times more.
 */
const RECENT_SCORE = 600n
const RECENT_TRIES = 4

export function createChainReader(scope: FollowScope, settings: FollowSettings): ChainReader {
  const size = createPageSize()
  const branch = new FollowedBranch(settings.network)
  let hasProblem = false
  const onProblem = (problem: ChainProblem): void => {
    hasProblem = true
    settings.onProblem?.(problem)
  }
  const attempts = createAttempts(scope, {
    timeout: settings.nodeBehindTimeout,
    onFailure: () => size.shrink(),
    onProblem,
  })
  let lastPage: { readonly session: Session; readonly at: number } | null = null

  /** Where a second node's page is malformed as well, not the pages but the position may be invented. */
  const readPage = async (state: State, session: Session, tries: number): Promise<State | 'behind'> => {
    try {
      return await readNext(state, session, tries)
    } catch (error) {
      const rewound = tries > 0 && isMalformed(error) ? await rewind(state, session) : null
      if (rewound === null) throw error
      return rewound
    }
  }
  const readNext = async (state: State, session: Session, tries: number): Promise<State | 'behind'> => {
    const isRecent = state.isLive && lastPage?.session === session && scope.now() - lastPage.at < RECENT
    const read = await readChain(scope, { locator: state.locator, settings, size, isRecent })
    lastPage = { session, at: scope.now() }
    if (read.type === 'behind') return tries < RECENT_TRIES ? 'behind' : waitOrRewind(state, session)
    const { tip } = state.locator
    if (read.type === 'page') {
      const page = settings.agree === 1 ? read.page : await agreedPart(scope, read.page, tip, session, settings)
      if (page === 'behind') return 'behind'
      branch.add(page.fork ?? tip, page.blocks)
      return addPage(state, page)
    }
    if (mayArrive(tip, read, tries)) return 'behind'
    if (await isKnownElsewhere(scope, state.locator, session)) {
      scope.leaveNode(session)
      return 'behind'
    }
    return passGap(scope, { ...read, from: toEntry(tip) }, settings)
  }
  /** A node that stays behind: its chain may never reach a position that another node invented. */
  const waitOrRewind = async (state: State, session: Session): Promise<State | 'behind'> => {
    const { tip } = state.locator
    onProblem({ type: 'behind', url: redact(session.connection.endpoint.url), block: toEntry(tip) })
    return (await rewind(state, session)) ?? 'behind'
  }
  /** The state at a block below a position that is no block of the chain; null where that is not known. */
  const rewind = async (state: State, session: Session): Promise<State | null> => {
    const { tip } = state.locator
    const found = await resolveBehind(scope, state.locator, session, settings)
    if (found === null) return null
    const { to, urls } = found
    onProblem({ type: 'rewound', urls, block: toEntry(tip), to: toEntry(to) })
    branch.clear()
    return rewindTo(state, to)
  }
  return {
    start: () => attempts.run((_, tries) => startState(scope, settings, tries)),
    next: async (state) => {
      if (state.isLive) scope.subscribe()
      if (state.isLive && scope.isNewest(state.locator.tip.hash)) await scope.nextHint(scope.hints())
      const seen = scope.hints()
      const read = await attempts.run((session, tries) => readPage(state, session, tries))
      const next = hasProblem ? asRecovered(read) : read
      hasProblem = false
      if (isEmptyState(next)) await scope.nextHint(seen)
      return next
    },
  }
}

async function startState(scope: FollowScope, settings: FollowSettings, tries: number): Promise<State | 'behind'> {
  const { start } = settings
  if (start.type === 'cursor') {
    const state: State = chainStateAt(start.locator)
    if (settings.rewindTo === undefined) return state
    return rewindTo(state, await readRewindTarget(scope, settings.rewindTo, start.locator, settings))
  }
  if (start.type === 'sink') return startAtSink(scope)
  if (start.type === 'pruning-point') return chainStateAt(locatorAt(await readPruningPoint(scope)))
  try {
    return chainStateAt(locatorAt(await readBlock(scope, start.hash)))
  } catch (error) {
    if (!isUnavailable(error)) throw error
    if (tries < RECENT_TRIES && !isPruned(error)) return 'behind'
    const from = { hash: start.hash, blueScore: null }
    return passGap(scope, { from, cause: error, sink: await readSink(scope) }, settings)
  }
}

/** The current chain, but not behind a block that was notified before the sink was read. */
async function startAtSink(scope: FollowScope): Promise<State> {
  const sink = await readSink(scope)
  const added = scope.firstAdded()
  if (added === undefined) return chainStateAt(locatorAt(sink), true)
  const { verboseData } = await readBlock(scope, added)
  return chainStateAt(locatorAt(await readBlock(scope, verboseData.selectedParentHash)))
}

const mayArrive = (tip: LocatorEntry, { sink, cause }: Omit<MissingPosition, 'from'>, tries: number): boolean =>
  tries < RECENT_TRIES && !isPruned(cause) && sink.blueScore < tip.blueScore + RECENT_SCORE

const isMalformed = (error: unknown): boolean => error instanceof ChainRpcError && error.code === 'malformed'

const toEntry = ({ hash, blueScore }: LocatorEntry): LocatorEntry => ({ hash, blueScore })
