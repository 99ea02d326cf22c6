import { invalidArgument } from '../errors/chain-error.js'
import type { Ledger } from './ledger/ledger.js'

/** The nodes of one simulated network: a devnode, its forks, and theirs. They have the same genesis. */
export interface Peers {
  /** The extra data of the blocks of the next fork, hex. */
  nextExtraData(): string
  add(node: object, ledger: Ledger): void
  /** Throws `ChainError` (`invalid-argument`) for a node of another network. */
  ledgerOf(node: object): Ledger
}

export function createPeers(): Peers {
  const ledgers = new WeakMap<object, Ledger>()
  let forks = 0
  return {
    nextExtraData: () => (++forks).toString(16).padStart(8, '0'),
    add: (node, ledger) => void ledgers.set(node, ledger),
    ledgerOf(node) {
      const ledger = ledgers.get(node)
      if (ledger !== undefined) return ledger
      throw invalidArgument(
        'peer',
        'The peer is a node of another network',
        'Use a devnode that fork() of this network has returned: peers have the same genesis.',
      )
    },
  }
}
