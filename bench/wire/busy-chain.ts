import type { UtxoEntry } from '../../src/model/utxo.js'
import type { NodeNotification } from '../../src/node/messages/records.js'
import { chainBlock } from './chain-blocks.js'
import { servedChain, type StubBlock } from './served-chain.js'
import { utxos } from './utxos.js'

/** Enough for 10 s at 100 notifications a second. */
const NOTIFICATIONS = 1_000

/** UTXOs of a wallet before the first notification. */
export const INITIAL_UTXOS = utxos(1_000)

/** A node of a busy network: its notifications, and the chain blocks that they announce. */
export interface BusyChain {
  readonly notifications: readonly NodeNotification[]
  readonly chain: readonly StubBlock[]
}

/**
 * One of `every` notifications is a chain block; the others are in turn a score
 * and a UTXO that is added, or removed the next time, beside the first `known` ones. Each block accepts `payments`.
 */
export function busyChain(every: number, payments: number, known = INITIAL_UTXOS.length): BusyChain {
  const received = utxos(known + NOTIFICATIONS / 2).slice(known)
  let others = 0
  const notifications = Array.from({ length: NOTIFICATIONS }, (_, at) =>
    at % every === 0 ? chainBlock(at / every + 1) : otherAt(others++, received),
  )
  return { notifications, chain: servedChain(NOTIFICATIONS / every, payments) }
}

const otherAt = (number: number, received: readonly UtxoEntry[]): NodeNotification =>
  number % 2 === 0
    ? { type: 'virtual-daa-score-changed', data: { virtualDaaScore: 91_000_001n + BigInt(number) } }
    : { type: 'utxos-changed', data: utxoChange(number >> 1, received) }

function utxoChange(
  number: number,
  received: readonly UtxoEntry[],
): Extract<NodeNotification, { type: 'utxos-changed' }>['data'] {
  const utxo = received.slice(number >> 1, (number >> 1) + 1)
  return number % 2 === 0 ? { added: utxo, removed: [] } : { added: [], removed: utxo }
}
