import type { CoreParts } from '../../../../engine/core-parts.js'
import type { NodeHealth } from '../../../../streams/session/server-state.js'
import { fieldsOf, tag } from '../fields.js'
import type { InspectorNode } from '../inspector-node.js'
import { latestOf } from '../latest.js'

const TONES = {
  healthy: 'good',
  unknown: 'plain',
  'not-synced': 'busy',
  lagging: 'busy',
  'no-utxo-index': 'bad',
} as const satisfies Record<NodeHealth, string>

/** The node as of the last handshake or poll. */
export function serverNode({ server$ }: CoreParts): InspectorNode {
  const server = latestOf(server$)
  return {
    id: 'node',
    label: 'Node',
    tags: server === undefined ? [] : [tag(server.health, TONES[server.health])],
    state: () => (server === undefined ? {} : { node: fieldsOf({ ...server }) }),
  }
}
