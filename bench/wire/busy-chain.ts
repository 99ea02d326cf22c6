import type { NodeNotification } from '../../src/node/messages/records.js'
import { chainBegins, chainBlock } from './chain-blocks.js'
import { coins } from './coins.js'

const TURNS = 600
const IDS = 200

/** The coins of a wallet before it is told anything. */
export const HELD = coins(1_000)

/** What it receives, one every second turn. */
const RECEIVED = coins(1_000 + TURNS / 2).slice(1_000)

/** Four notifications a turn: two chain blocks of 200 ids, a score, and a coin that is received, or spent in the next turn. */
export function busyChain(): NodeNotification[] {
  const turns = Array.from({ length: TURNS }, (_, at): NodeNotification[] => [
    chainBlock(2 * at + 1, IDS),
    { type: 'virtual-daa-score-changed', data: { virtualDaaScore: 91_000_001n + BigInt(at) } },
    chainBlock(2 * at + 2, IDS),
    { type: 'utxos-changed', data: coinChange(at) },
  ])
  return [chainBegins, ...turns.flat()]
}

function coinChange(turn: number): Extract<NodeNotification, { type: 'utxos-changed' }>['data'] {
  const coin = RECEIVED.slice(turn >> 1, (turn >> 1) + 1)
  return turn % 2 === 0 ? { added: coin, removed: [] } : { added: [], removed: coin }
}
