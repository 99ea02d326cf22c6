import { shallowRef, type ShallowRef } from 'vue'
import type { Devnode } from '../../src/devnode/index.js'
import { useTransactionStatus } from '../../src/adapters/vue/composables/useTransactionStatus.js'
import { useVueChain, type UseVueChainReturn } from '../../src/adapters/vue/composables/useVueChain.js'
import { VueChain } from '../../src/adapters/vue/plugin/plugin.js'
import { mountApp } from '../adapters/vue/with-app.js'
import { ADDRESS } from './canary.js'
import { payments } from './payments.js'
import type { Recorder } from './recorder.js'
import { readRefs } from './told.js'
import { slips } from './slips.js'

/** What a session works with: an app on a network, in which whatever comes out is taken down. */
export interface Session {
  readonly app: UseVueChainReturn
  readonly devnode: Devnode
  /** The id of the payment that the app follows. */
  readonly sent: ShallowRef<string | null>
  /** Does something and takes down how it ends: what it answers, or what it throws. */
  readonly attempt: <T>(work: () => T | Promise<T>) => Promise<T | undefined>
}

/** One app's whole life: keys are made, derived and used, rightly and wrongly, and everything that it says is taken down. */
export async function live(devnode: Devnode, recorder: Recorder): Promise<void> {
  const sent = shallowRef<string | null>(null)
  const setup = () => ({ ...useVueChain(), status: useTransactionStatus(sent) })
  const { result: app, unmount } = mountApp(setup, (vue) =>
    vue.use(VueChain, {
      network: 'simnet',
      url: devnode.urls.borsh,
      requestTimeout: 4_000, // a lost reply is waited for that long; shorter, and a busy machine loses others too
      autoConnect: false,
      logger: recorder.logger,
      ports: { platform: recorder.platform },
    }),
  )
  const session: Session = { app, devnode, sent, attempt: (work) => attempt(recorder, work) }
  await app.chain.init()
  await app.rpc.connect()
  for (const type of ['utxos-changed', 'virtual-chain-changed', 'block-added'] as const)
    app.rpc.on(type, () => undefined)
  readRefs(app) // what is live wakes when it is first read
  await app.utxo.track([ADDRESS])
  await slips(session)
  await payments(session)
  for (const value of readRefs(app)) recorder.take('ref', value)
  unmount()
}

async function attempt<T>(recorder: Recorder, work: () => T | Promise<T>): Promise<T | undefined> {
  try {
    const result = await work()
    recorder.take('result', result)
    return result
  } catch (error) {
    recorder.take('error', error)
    return undefined
  }
}
