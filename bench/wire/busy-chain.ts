import type { NodeNotification } from '../../src/node/messages/records.js'
import { chainBlock } from './chain-blocks.js'
import { servedChain, type StubBlock } from './served-chain.js'
import { utxos } from './utxos.js'

/** Enough for 10 s at 100 notifications a second. */
const NOTIFICATIONS = 1_000

/** UTXOs of a wallet before the first notification. */
export const INITIAL_UTXOS = utxos(1_000)

/** Received UTXOs: each is added by one notification and removed by a later one. */
const RECEIVED = utxos(1_000 + NOTIFICATIONS / 2).slice(1_000)

/** A node of a busy network: its notifications, and the chain blocks that they announce. */
export interface BusyChain {
  readonly notifications: readonly NodeNotification[]
  readonly chain: readonly StubBlock[]
}

/**
 * One of `every` notifications is a chain block; the others are in turn a score
 * and a UTXO that is added, or removed the next time. Each block accepts `payments`.
 */
export function busyChain(every: number, payments: number): BusyChain {
  let others = 0
  const notifications = Array.from({ length: NOTIFICATIONS }, (_, at) =>
    at % every === 0 ? chainBlock(at / every + 1) : otherAt(others++),
  )
  return { notifications, chain: servedChain(NOTIFICATIONS / every, payments) }
}

const otherAt = (number: number): NodeNotification =>
  number % 2 === 0
    ? { type: 'virtual-daa-score-changed', data: { virtualDaaScore: 91_000_001n + BigInt(number) } }
    : { type: 'utxos-changed', data: utxoChange(number >> 1) }

function utxoChange(number: number): Extract<NodeNotification, { type: 'utxos-changed' }>['data'] {
  const utxo = RECEIVED.slice(number >> 1, (number >> 1) + 1)
  return number % 2 === 0 ? { added: utxo, removed: [] } : { added: [], removed: utxo }
}
