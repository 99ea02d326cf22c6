import type { NodeNotification } from '../../src/node/messages/records.js'
import { chainBlock } from './chain-blocks.js'
import { servedChain, type StubBlock } from './served-chain.js'
import { utxos } from './utxos.js'

/** Enough for 10 s at 100 notifications a second. */
const ROUNDS = 250
const IDS = 200

/** UTXOs of a wallet before the first notification. */
export const INITIAL_UTXOS = utxos(1_000)

/** Received UTXOs, one every second round. */
const RECEIVED = utxos(1_000 + ROUNDS / 2).slice(1_000)

/** A node of a busy network: its notifications, and the chain blocks that they announce, which accept 200 payments each. */
export interface BusyChain {
  readonly notifications: readonly NodeNotification[]
  readonly chain: readonly StubBlock[]
}

/**
 * Four notifications a round: two chain blocks, without accepted ids, which a client requests; a score; and a UTXO that is
 * added, or removed in the next round.
 */
export function busyChain(): BusyChain {
  const rounds = Array.from({ length: ROUNDS }, (_, at): NodeNotification[] => [
    chainBlock(2 * at + 1, 0),
    { type: 'virtual-daa-score-changed', data: { virtualDaaScore: 91_000_001n + BigInt(at) } },
    chainBlock(2 * at + 2, 0),
    { type: 'utxos-changed', data: utxoChange(at) },
  ])
  return { notifications: rounds.flat(), chain: servedChain(2 * ROUNDS, IDS) }
}

function utxoChange(round: number): Extract<NodeNotification, { type: 'utxos-changed' }>['data'] {
  const utxo = RECEIVED.slice(round >> 1, (round >> 1) + 1)
  return round % 2 === 0 ? { added: utxo, removed: [] } : { added: [], removed: utxo }
}
