import { type CoreParts, existingFeature } from '../../../../engine/core-parts.js'
import type { RpcConnectionState } from '../../../../streams/connection/state.js'
import { errorField, fieldsOf, tag, toTime, type InspectorNode, latestOf } from '../inspector-node.js'
import type { NodeHealth } from '../../../../streams/session/server-state.js'
import { restClients } from '../../../../engine/features/rest.js'
import { redact } from '../../../../errors/redact.js'
import { pathOf, type SharedCache } from '../../../../rest/shared-cache.js'
import type { CacheEntry } from '../../../../rest/requests/store.js'
import type { WasmStatus } from '../../../../streams/wasm.js'

const CONNECTION_TONES = {
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
    tags: state === undefined ? [tag('disposed')] : [tag(state.status, CONNECTION_TONES[state.status]), ...shared],
    refresh: () => void connection.reconnect().catch(() => undefined), // a failure is shown in the state
    state: () => {
      if (state === undefined) return {}
      const { status, url, network, encoding, attempt, nextRetryAt, error } = state
      const fields = fieldsOf({ status, url, network, encoding, attempt, nextRetryAt: toTime(nextRetryAt), tabs })
      return { connection: [...fields, errorField(error)] }
    },
  }
}

const HEALTH_TONES = {
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
    tags: server === undefined ? [] : [tag(server.health, HEALTH_TONES[server.health])],
    state: () => (server === undefined ? {} : { node: fieldsOf({ ...server }) }),
  }
}

/** Responses of a cache with a node of their own, the newest. */
const MAX_LISTED = 200

/** The cached responses of the indexers by base URL, with their age. */
export function restNode(core: CoreParts): InspectorNode {
  const caches = existingFeature(core, restClients)?.caches() ?? []
  const children = caches.map(({ baseUrl, cache }, index) => cacheNode(`rest/${index}`, baseUrl, cache, core))
  return {
    id: 'rest',
    label: 'REST cache',
    tags: [tag(`${caches.reduce((total, { cache }) => total + cache.entries().length, 0)} responses`)],
    children,
    refresh: () => children.forEach((child) => child.refresh?.()),
    state: () => ({ rest: fieldsOf({ caches: caches.length }) }),
  }
}

function cacheNode(id: string, baseUrl: string, cache: SharedCache, { platform }: CoreParts): InspectorNode {
  const entries = [...cache.entries()].sort((a, b) => b.at - a.at)
  return {
    id,
    label: redact(baseUrl, baseUrl),
    tags: [tag(String(entries.length))],
    children: entries.slice(0, MAX_LISTED).map((entry) => entryNode(id, entry, platform.now(), cache)),
    refresh: () => cache.clear(''),
    state: () => ({ rest: fieldsOf({ baseUrl: redact(baseUrl, baseUrl), responses: entries.length }) }),
  }
}

/** The body is not shown: it may hold more than a panel can display. */
function entryNode(parent: string, { key, kept, at }: CacheEntry, now: number, cache: SharedCache): InspectorNode {
  const age = Math.max(now - at, 0)
  const request = redact(key)
  const isFresh = age < Math.min(kept.fresh, kept.limit)
  return {
    id: `${parent}/${request}`,
    label: request,
    tags: [isFresh ? tag('fresh', 'good') : tag('stale', 'busy'), tag(toAge(age))],
    refresh: () => cache.clear(pathOf(key)),
    state: () => ({
      response: fieldsOf({
        request,
        receivedAt: toTime(at),
        'age (ms)': age,
        'fresh for (ms)': Math.min(kept.fresh, kept.limit),
        'usable while revalidated (ms)': kept.revalidate,
        mayChange: kept.isUnsettled === true,
      }),
    }),
  }
}

/** An age in the largest unit that fits: `12 s`. */
function toAge(ms: number): string {
  if (ms < 60_000) return `${Math.floor(ms / 1_000)} s`
  return ms < 3_600_000 ? `${Math.floor(ms / 60_000)} min` : `${Math.floor(ms / 3_600_000)} h`
}

const WASM_TONES = { ready: 'good', loading: 'busy', idle: 'plain', error: 'bad' } as const satisfies Record<
  WasmStatus,
  string
>

/** The WASM module. */
export function wasmNode({ wasm }: CoreParts): InspectorNode {
  const state = latestOf(wasm.status$)
  return {
    id: 'wasm',
    label: 'WASM',
    tags: state === undefined ? [] : [tag(state.status, WASM_TONES[state.status])],
    state: () =>
      state === undefined
        ? {}
        : { wasm: [...fieldsOf({ status: state.status }), errorField('error' in state ? state.error : null)] },
  }
}
