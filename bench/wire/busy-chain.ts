import type { NodeNotification } from '../../src/node/messages/records.js'
import { firstChainBlock, chainBlock } from './chain-blocks.js'
import { utxos } from './utxos.js'

const ROUNDS = 600
const IDS = 200

/** UTXOs of a wallet before the first notification. */
export const INITIAL_UTXOS = utxos(1_000)

/** Received UTXOs, one every second round. */
const RECEIVED = utxos(1_000 + ROUNDS / 2).slice(1_000)

/** Four notifications a round: two chain blocks of 200 ids, a score, and a UTXO that is added, or removed in the next round. */
export function busyChain(): NodeNotification[] {
  const rounds = Array.from({ length: ROUNDS }, (_, at): NodeNotification[] => [
    chainBlock(2 * at + 1, IDS),
    { type: 'virtual-daa-score-changed', data: { virtualDaaScore: 91_000_001n + BigInt(at) } },
    chainBlock(2 * at + 2, IDS),
    { type: 'utxos-changed', data: utxoChange(at) },
  ])
  return [firstChainBlock, ...rounds.flat()]
}

function utxoChange(round: number): Extract<NodeNotification, { type: 'utxos-changed' }>['data'] {
  const utxo = RECEIVED.slice(round >> 1, (round >> 1) + 1)
  return round % 2 === 0 ? { added: utxo, removed: [] } : { added: [], removed: utxo }
}
