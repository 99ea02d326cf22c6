import type { setupDevToolsPlugin } from '@vue/devtools-api'
import type { CustomInspectorNode, CustomInspectorState } from '@vue/devtools-kit'
import { interval, merge, throttleTime, type Observable, type Subscription } from 'rxjs'
import type { App } from 'vue'
import type { CoreParts } from '../../../engine/core-parts.js'
import { filterNodes, findNode, type InspectorNode } from './inspector-node.js'
import { nodesOf } from './nodes/nodes.js'

/** DevTools' interface for one app. */
export type DevtoolsApi = Parameters<Parameters<typeof setupDevToolsPlugin>[1]>[0]

/** An app and its core, shown under `id`, which differs per app of a page. */
export interface Shown {
  readonly id: string
  readonly app: App
  readonly core: CoreParts
}

/** Ms between two updates of ages and counts, which have no stream. */
const TICK = 1_000

/** Ms between two updates after changes. */
const THROTTLE = 200

/** Adds the inspector. Its updates end with the returned subscription. */
export function addInspector(api: DevtoolsApi, { id, app, core }: Shown): Subscription {
  const isOurs = (payload: { app: App; inspectorId: string }): boolean =>
    payload.app === app && payload.inspectorId === id // every handler receives the requests of all apps and inspectors
  const update = (): void => {
    api.sendInspectorTree(id)
    api.sendInspectorState(id)
  }
  const refresh = (nodeId: string): void => {
    findNode(nodesOf(core), nodeId)?.refresh?.()
    update()
  }
  api.addInspector({
    id,
    label: 'vue-chain',
    icon: 'hub',
    treeFilterPlaceholder: 'Search subscriptions, addresses, requests …',
    actions: [
      { icon: 'sync', tooltip: 'Reconnect', action: () => refresh('connection') },
      { icon: 'cloud_download', tooltip: 'Fetch all UTXOs again', action: () => refresh('utxos') },
      { icon: 'delete_sweep', tooltip: 'Clear the REST cache', action: () => refresh('rest') },
    ],
    nodeActions: [{ icon: 'refresh', tooltip: 'Reconnect, fetch again or clear', action: refresh }],
  })
  api.on.getInspectorTree((payload) => {
    if (isOurs(payload)) payload.rootNodes = filterNodes(nodesOf(core), payload.filter).map(toTree)
  })
  api.on.getInspectorState((payload) => {
    const node = isOurs(payload) ? findNode(nodesOf(core), payload.nodeId) : undefined
    if (node !== undefined) payload.state = copyOf(node.state())
  })
  return changesOf(core).subscribe(update)
}

const changesOf = ({ connection, server$, wasm, placed$, platform }: CoreParts): Observable<unknown> =>
  merge(connection.state$, server$, wasm.status$, placed$, interval(TICK, platform.scheduler)).pipe(
    throttleTime(THROTTLE, platform.scheduler, { leading: true, trailing: true }),
  )

/** DevTools writes into what it receives. */
function toTree({ id, label, tags = [], children = [] }: InspectorNode): CustomInspectorNode {
  return { id, label, tags: [...tags], children: children.map(toTree) }
}

const copyOf = (state: ReturnType<InspectorNode['state']>): CustomInspectorState =>
  Object.fromEntries(Object.entries(state).map(([section, fields]) => [section, [...fields]]))
