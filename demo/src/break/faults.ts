import { command } from '../devnode'

/** A fault of the connection, the node or the chain. */
export interface FaultButton {
  readonly name: string
  readonly effect: string
  readonly inject: () => Promise<void>
}

export const FAULTS: readonly FaultButton[] = [
  {
    name: 'Drop the connection',
    effect: 'The socket is cut without a close frame.',
    inject: () => command('/drop', {}),
  },
  {
    name: 'Freeze the node',
    effect: 'Connected, but unresponsive for 20 s.',
    inject: () => command('/faults/freeze', { for: 20_000 }),
  },
  {
    name: 'Restart the node',
    effect: 'Offline for 2 s.',
    inject: () => command('/restart', { downtime: 2_000 }),
  },
  {
    name: 'Reorg 3 deep',
    effect: 'The last three chain blocks are replaced.',
    inject: () => command('/reorg', { depth: 3 }),
  },
  {
    name: 'Drop the next reply',
    effect: 'The next payment is accepted, its reply dropped.',
    inject: () => command('/faults/dropReply', { method: 'submitTransaction' }),
  },
]
