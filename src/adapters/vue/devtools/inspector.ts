import type { setupDevToolsPlugin } from '@vue/devtools-api'
import type { CustomInspectorNode, CustomInspectorState } from '@vue/devtools-kit'
import { interval, merge, throttleTime, type Observable, type Subscription } from 'rxjs'
import type { App } from 'vue'
import { type CoreParts, existingFeature } from '../../../engine/core-parts.js'
import {
  filterNodes,
  findNode,
  type InspectorNode,
  amountFields,
  fieldsOf,
  tag,
  type Field,
  errorField,
} from './inspector-node.js'
import { connectionNode, restNode, serverNode, wasmNode } from './nodes/services.js'
import { subscriptionsNode, utxosNode } from './nodes/tracked.js'
import { unconfirmed } from '../../../engine/features/unconfirmed.js'
import { toAddress } from '../../../model/address.js'
import { NETWORKS, type ChainNetwork, isChainNetwork } from '../../../model/network.js'
import type { TransactionOutput } from '../../../model/transaction.js'
import { toOutpointKey } from '../../../model/utxo.js'
import type { OwnStatus, UnconfirmedRecord } from '../../../streams/utxos/unconfirmed/record.js'
import { wallet } from '../../../engine/features/wallet.js'
import { NO_WALLET, type WalletStatus } from '../../../streams/wallet/wallet-session.js'

/** DevTools' interface for one app. */
export type DevtoolsApi = Parameters<Parameters<typeof setupDevToolsPlugin>[1]>[0]

/** An app and its core, shown under `id`, which differs per app of a page. */
interface Shown {
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

/**
 * The inspector's tree: a snapshot of a core. Reading it creates no feature, sends nothing and subscribes to nothing.
 */
export const nodesOf = (core: CoreParts): readonly InspectorNode[] =>
  [connectionNode, serverNode, subscriptionsNode, utxosNode, paymentsNode, walletNode, wasmNode, restNode].map((node) =>
    node(core),
  )

const STEP_TONES = {
  none: 'plain',
  pending: 'busy',
  accepted: 'good',
  reverted: 'bad',
  conflicting: 'bad',
} as const satisfies Record<OwnStatus['step'], string>

/** Own payments that are not accepted yet, or no longer. */
function paymentsNode(core: CoreParts): InspectorNode {
  const records = [...(existingFeature(core, unconfirmed)?.records.all.values() ?? [])].filter(isInFlight)
  return {
    id: 'payments',
    label: 'Payments in flight',
    tags: [tag(String(records.length))],
    children: records.map((record) => paymentNode(record, core.network())),
    state: () => ({ payments: fieldsOf({ inFlight: records.length }) }),
  }
}

const isInFlight = ({ own }: UnconfirmedRecord): boolean => own.step !== 'none' && own.step !== 'accepted'

function paymentNode({ transaction, own, mempool }: UnconfirmedRecord, network: ChainNetwork): InspectorNode {
  const { id, inputs, outputs } = transaction
  const sent = outputs.reduce((total, { value }) => total + value, 0n)
  return {
    id: `payments/${id}`,
    label: id,
    tags: [tag(own.step, STEP_TONES[own.step]), tag(`mempool: ${mempool.step}`)],
    state: () => ({
      payment: [
        ...fieldsOf({ id, step: own.step, mempool: mempool.step }),
        ...amountFields('outputs, change included', sent, network),
      ],
      spends: inputs.map(({ outpoint }, index) => ({ key: String(index), value: toOutpointKey(outpoint) })),
      outputs: outputs.flatMap((output, index) => outputFields(output, index, network)),
    }),
  }
}

function outputFields({ value, scriptPublicKey }: TransactionOutput, index: number, network: ChainNetwork): Field[] {
  const address = toAddress(scriptPublicKey, NETWORKS[network].addressPrefix) ?? null
  return [{ key: `${index} address`, value: address }, ...amountFields(`${index} value`, value, network)]
}

const WALLET_TONES = {
  connected: 'good',
  connecting: 'busy',
  locked: 'busy',
  disconnected: 'plain',
  'wrong-network': 'bad',
  'disconnected-by-wallet': 'bad',
} as const satisfies Record<WalletStatus, string>

/** The browser wallet in use. Displaying it does not search for wallets. */
function walletNode(core: CoreParts): InspectorNode {
  const state = existingFeature(core, wallet)?.state ?? NO_WALLET
  return {
    id: 'wallet',
    label: 'Wallet',
    tags: [tag(state.status, WALLET_TONES[state.status])],
    state: () => {
      const { status, provider, address, publicKey, network, pending, balance, installed, discovered } = state
      const current = isChainNetwork(network) ? network : core.network()
      return {
        wallet: [
          ...fieldsOf({ status, name: state.wallet?.name ?? null, provider, address, publicKey, network, pending }),
          errorField(state.error),
        ],
        balance: [
          ...amountFields('confirmed', balance?.confirmed ?? null, current),
          ...amountFields('unconfirmed', balance?.unconfirmed ?? null, current),
          ...amountFields('total', balance?.total ?? state.reportedBalance, current),
        ],
        found: fieldsOf({ installed, discovered: discovered.map(({ name }) => name) }),
      }
    },
  }
}
