import { ChainError, invalidArgument } from '../errors/chain-error.js'
import { refuseUnknown } from '../errors/unknown-option.js'
import { decodeCursor } from '../model/chain-cursor/cursor.js'
import type { ChainNetwork } from '../model/network.js'
import type { JournalAccess, Pruned } from '../streams/payouts/journal.js'

/** The finality depth of the network in blue score, 12 hours: no reorg is deeper. */
const FINALITY = 432_000n

/** Rows of one statement: others wait for it. */
const BATCH = 1_000

/** Prunes batch by batch until nothing is due. */
export async function prune(
  journal: JournalAccess,
  network: ChainNetwork,
  options: { readonly olderThan: Date },
): Promise<Pruned> {
  refuseUnknown(options, ['olderThan'])
  const { olderThan } = options
  if (!(olderThan instanceof Date) || !(olderThan.getTime() <= Date.now()))
    throw invalidArgument('olderThan', '"olderThan" must be a Date in the past')
  if (journal.prune === undefined) throw new ChainError('This journal keeps everything', { code: 'unsupported' })
  const { cursor } = await journal.wallet()
  const tip = cursor === null ? 0n : decodeCursor(cursor, network).tip.blueScore
  const query = { olderThan: olderThan.getTime(), blueScore: tip - FINALITY, limit: BATCH }
  let pruned: Pruned = { attempts: 0, events: 0 }
  for (;;) {
    const { attempts, events } = await journal.prune(query)
    pruned = { attempts: pruned.attempts + attempts, events: pruned.events + events }
    if (attempts < BATCH && events < BATCH) return pruned
  }
}
