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

/** The connection: state, endpoint, retries, and how many tabs share it. */
export function connectionNode({ connection, connectionSharing$ }: CoreParts): InspectorNode {
  const state = latestOf(connection.state$)
  const sharing = latestOf(connectionSharing$)
  const tabs = sharing?.connection === 'shared' ? sharing.tabs : undefined
  const shared = tabs === undefined ? [] : [tag(`shared by ${tabs} tabs`)]
  return {
    id: 'connection',
    label: 'Connection',
    tags: state === undefined ? [tag('disposed')] : [tag(state.status, TONES[state.status]), ...shared],
    refresh: () => void connection.reconnect().catch(() => undefined), // a failure is shown in the state
    state: () => {
      if (state === undefined) return {}
      const { status, url, network, encoding, attempt, nextRetryAt, error } = state
      const fields = fieldsOf({ status, url, network, encoding, attempt, nextRetryAt: toTime(nextRetryAt), tabs })
      return { connection: [...fields, errorField(error)] }
    },
  }
}
