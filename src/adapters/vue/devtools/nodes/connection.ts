import type { CoreParts } from '../../../../engine/core-parts.js'
import type { RpcConnectionState } from '../../../../streams/connection/state.js'
import { errorField, fieldsOf, tag, toTime } from '../fields.js'
import type { InspectorNode } from '../inspector-node.js'
import { latestOf } from '../latest.js'

const TONES = {
  connected: 'good',
  connecting: 'busy',
  reconnecting: 'busy',
  disconnected: 'plain',
  error: 'bad',
} as const satisfies Record<RpcConnectionState, string>

/** The connection: state, endpoint, retries. */
export function connectionNode({ connection }: CoreParts): InspectorNode {
  const state = latestOf(connection.state$)
  return {
    id: 'connection',
    label: 'Connection',
    tags: state === undefined ? [tag('disposed')] : [tag(state.status, TONES[state.status])],
    refresh: () => void connection.reconnect().catch(() => undefined), // a failure is shown in the state
    state: () => {
      if (state === undefined) return {}
      const { status, url, network, encoding, attempt, nextRetryAt, error } = state
      const fields = fieldsOf({ status, url, network, encoding, attempt, nextRetryAt: toTime(nextRetryAt) })
      return { connection: [...fields, errorField(error)] }
    },
  }
}
