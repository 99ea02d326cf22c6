import { createAttempts } from '../chain/attempts.js'
import { followLocated } from '../chain/follow-chain.js'
import { createChainReader } from '../chain/chain-reader.js'
import { readBlock } from '../chain/header.js'
import { toIterator, type OpenedIteration } from '../chain/iteration.js'
import { aborted, untilEnded$ } from '../chain/endings.js'
import { createFollowScope, type FollowDeps } from '../chain/scope.js'
import { toFollowSettings } from '../chain/settings.js'
import { invalidArgument } from '../../errors/chain-error.js'
import { KnownOutputs } from './known-outputs.js'
import { toFollowedSet, type FollowTransfersOptions } from './options.js'
import type { TransferBatch } from './transfer.js'
import { transferBatches, TransferFollower } from './transfer-batches.js'
import { requireNetwork } from './watched-addresses.js'

/** Batches of transfers, pulled one by one. `return()` and `signal` release everything at once. */
export type TransferBatches = AsyncIterableIterator<TransferBatch, undefined, undefined>

/**
 * Credits and debits of addresses, with the guarantees of `followChain`: store the rows and `cursor` of a batch
 * together, and each transfer counts once, across reorgs, reconnects, node switches and restarts. The sums equal the
 * balances of the node, because an address begins with opening credits for its older UTXOs. The costs do not grow with
 * the number of addresses. Rejects as `followChain` does; `invalid-argument` also for an invalid address, before
 * anything is sent. Needs a node of 1.1 or later with a UTXO index.
 */
export type FollowTransfers = (options: FollowTransfersOptions) => TransferBatches

export interface FollowTransfersDeps extends FollowDeps {
  /** Whether an address got the change of an own payment. */
  readonly isOwnChange: (address: string, transactionId: string) => boolean
}

export const createFollowTransfers =
  (deps: FollowTransfersDeps): FollowTransfers =>
  (options) =>
    toIterator(() => open(deps, options))

/** Checks the options, then opens the access to the node. */
async function open(
  deps: FollowTransfersDeps,
  options: FollowTransfersOptions,
): Promise<OpenedIteration<TransferBatch>> {
  const { addresses, counted, findCredits, findOpenings, detail = 'full', ...chain } = options
  const network = deps.network()
  const settings = toFollowSettings({ ...chain, detail }, network, deps.target().urls)
  if (!('addresses' in options))
    throw invalidArgument('addresses', '"addresses" is missing', 'Pass the watched addresses.')
  const set = toFollowedSet(addresses, untilEnded$(deps, chain.signal))
  const { watched, isChange, update } = set instanceof Promise ? await set : set // a set is followed from next() on
  requireNetwork(watched, network)
  const scope = createFollowScope(deps, chain.signal)
  const attempts = createAttempts(scope, {
    timeout: settings.nodeBehindTimeout,
    onFailure: () => undefined,
    onProblem: settings.onProblem,
  })
  const { signal, nodeBehindTimeout, onBehind, agree, onProblem } = chain
  const follower = new TransferFollower({
    scope,
    attempts,
    network,
    watched,
    known: new KnownOutputs(findCredits),
    minConfirmations: settings.minConfirmations,
    findOpenings,
    counted,
    isChange: (address, transactionId) => isChange(address) || deps.isOwnChange(address, transactionId),
    cursor: chain.cursor ?? null,
    readStart: async () => {
      const { locator } = await createChainReader(scope, settings).start()
      return attempts.run(() => readBlock(scope, locator.tip.hash))
    },
    hasBlocks: detail === 'contracts',
    followMain: (cursor) => followLocated(deps, { ...chain, from: undefined, cursor, detail }),
    follow: (cursor) => followLocated(deps, { cursor, signal, nodeBehindTimeout, onBehind, agree, onProblem }),
  })
  const updates = update(follower.fail)
  return {
    batches: transferBatches(follower),
    end(reason) {
      updates.unsubscribe()
      follower.end()
      scope.end(aborted(reason))
    },
  }
}
