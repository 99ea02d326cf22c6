import { shallowRef, type ShallowRef } from 'vue'
import type { Devnode } from '../../src/devnode/index.js'
import { useChainEngine } from '../../src/adapters/vue/composables/useChainEngine.js'
import { useTransactionStatus } from '../../src/adapters/vue/composables/useTransactionStatus.js'
import { createRecorder as createFlightRecorder } from '../../src/engine/recorder/create-recorder.js'
import { useVueChain, type UseVueChainReturn } from '../../src/adapters/vue/composables/useVueChain.js'
import type { InspectorNode } from '../../src/adapters/vue/devtools/inspector-node.js'
import { nodesOf } from '../../src/adapters/vue/devtools/inspector.js'
import { useCore } from '../../src/adapters/vue/plugin/core.js'
import { VueChain } from '../../src/adapters/vue/plugin/plugin.js'
import { mountOpenEnded } from '../adapters/vue/with-app.js'
import { createNodePort } from '../../src/wrpc/client.js'
import { createSharedOrigin } from '../wrpc/shared/shared-origin.js'
import { ADDRESS } from './canary.js'
import { cosign } from './cosigning.js'
import { createRecordedTabs, recordPort } from './recorded-tabs.js'
import { sendPayments } from './payments.js'
import type { Recorder } from './recorder.js'
import { readRefs } from './inspect-value.js'
import { misuseKeys } from './key-misuse.js'

/** An app on a simulated network whose output is recorded. */
export interface Session {
  readonly app: UseVueChainReturn
  readonly devnode: Devnode
  /** Id of the payment whose status the app tracks. */
  readonly sentId: ShallowRef<string | null>
  /** Runs `work` and records its result or its error. */
  readonly attempt: <T>(work: () => T | Promise<T>) => Promise<T | undefined>
}

/**
 * Mounts an app, derives and uses keys, correctly and incorrectly, and records its output until the unmount: also what
 * it shares with other tabs and leaves in the browser.
 */
export async function runSession(devnode: Devnode, recorder: Recorder): Promise<void> {
  const flight = createFlightRecorder({ size: 10_000 })
  const sentId = shallowRef<string | null>(null)
  // bounds the wait for the dropped reply; a shorter timeout fails other requests on a busy machine
  const requestTimeout = 4_000
  const origin = createSharedOrigin(recorder.platform, (maxFrameSize) =>
    createNodePort(recorder.platform, { maxFrameSize, requestTimeout }),
  )
  const tab = origin.openTab(() => recordPort(origin.connectHub(), recorder))
  const tabs = createRecordedTabs(recorder)
  const setup = () => ({
    app: { ...useVueChain(), status: useTransactionStatus(sentId) },
    core: useCore('runSession'),
    engine: useChainEngine(),
  })
  const { result, unmount } = mountOpenEnded(setup, (vue) =>
    vue.use(VueChain, {
      network: 'simnet',
      url: devnode.urls.borsh,
      requestTimeout,
      shared: { state: true },
      autoConnect: false,
      logger: recorder.logger,
      recorder: flight,
      ports: { platform: { ...recorder.platform, ...tabs.platform }, node: tab.port },
    }),
  )
  const { app, core, engine } = result
  const recordAttempt: Session['attempt'] = async (work) => {
    const outcome = await attempt(recorder, work)
    recorder.record('devtools', nodesOf(core).map(toShown))
    return outcome
  }
  const session: Session = { app, devnode, sentId, attempt: recordAttempt }
  await app.chain.init()
  await app.rpc.connect()
  for (const type of ['utxos-changed', 'virtual-chain-changed', 'block-added'] as const)
    app.rpc.on(type, () => undefined)
  readRefs(app) // live refs subscribe on their first read
  await app.utxo.track([ADDRESS])
  await misuseKeys(session)
  await cosign(session, engine)
  await sendPayments(session)
  for (const value of readRefs(app)) recorder.record('ref', value)
  await tabs.hide()
  recorder.record('storage', Object.entries(localStorage))
  unmount()
  origin.close()
  for (const entry of flight.records()) recorder.record('recording', entry)
  recorder.record('recording', flight.export())
}

/** What DevTools show of a node. */
const toShown = ({ label, tags, children = [], state }: InspectorNode): unknown => ({
  label,
  tags,
  state: state(),
  children: children.map(toShown),
})

async function attempt<T>(recorder: Recorder, work: () => T | Promise<T>): Promise<T | undefined> {
  try {
    const result = await work()
    recorder.record('result', result)
    return result
  } catch (error) {
    recorder.record('error', error)
    return undefined
  }
}
