import { command } from '../devnode'

/** Something that can be done to the connection, the node or the chain. */
export interface FaultButton {
  readonly name: string
  /** What will be seen. */
  readonly about: string
  readonly cause: () => Promise<void>
}

/** All that this page can break. */
export const FAULTS: readonly FaultButton[] = [
  {
    name: 'Drop the connection',
    about: 'The socket is cut without a word.',
    cause: () => command('/drop', {}),
  },
  {
    name: 'Freeze the node',
    about: 'For 20 s it is there and silent.',
    cause: () => command('/faults/freeze', { for: 20_000 }),
  },
  {
    name: 'Restart the node',
    about: 'It is gone for 2 s, then back.',
    cause: () => command('/restart', { downtime: 2_000 }),
  },
  {
    name: 'Reorg 3 deep',
    about: 'The last three chain blocks are replaced.',
    cause: () => command('/reorg', { depth: 3 }),
  },
  {
    name: 'Lose the next reply',
    about: 'The next payment is taken, its answer lost.',
    cause: () => command('/faults/loseReply', { method: 'submitTransaction' }),
  },
]
