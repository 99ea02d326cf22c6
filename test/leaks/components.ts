import { createApp, defineComponent, h, nextTick, shallowRef, type Component } from 'vue'
import { useRpc } from '../../src/adapters/vue/composables/useRpc.js'
import { useTransactionListener } from '../../src/adapters/vue/composables/useTransactionListener.js'
import { useUtxo } from '../../src/adapters/vue/composables/useUtxo.js'
import { VueChain } from '../../src/adapters/vue/plugin/plugin.js'
import type { Devnode } from '../../src/devnode/index.js'
import {
  resourcesAtNode,
  createObjectTracker,
  resourcesInProcess,
  leakedAfter,
  type ObjectTracker,
  type Environment,
} from './resources.js'

/** Mounts and unmounts components sequentially in one app while blocks arrive; resolves to the leaked resources. */
export async function componentLeaks(count: number, environment: Environment): Promise<readonly string[]> {
  const { devnode } = environment
  const tracker = createObjectTracker('components')
  const shown = shallowRef<number | null>(0)
  const Balance = createBalance(devnode, tracker)
  const app = createApp({ render: () => (shown.value === null ? null : h(Balance, { key: shown.value })) })
  app.use(VueChain, { network: 'simnet', url: devnode.urls.borsh })
  app.mount(document.createElement('div'))

  for (let index = 1; index < count; index++) {
    shown.value = index
    await nextTick()
    if (index % 50 === 0) await devnode.mine()
  }
  shown.value = null
  await nextTick()
  const leaked = await leakedAfter(
    `after ${count} components`,
    () => [...resourcesAtNode(environment).slice(1), ...tracker.alive()], // the app keeps its connection
    environment,
  )
  app.unmount()
  return [
    ...leaked,
    ...(await leakedAfter(
      'after the app',
      () => [...resourcesAtNode(environment), ...resourcesInProcess(environment)],
      environment,
    )),
  ]
}

/** A component with a connection, a balance and accepted transactions. */
function createBalance({ accounts }: Devnode, tracker: ObjectTracker): Component {
  return defineComponent(() => {
    const rpc = useRpc()
    const utxo = useUtxo(accounts.map(({ address }) => address))
    const { transactions } = useTransactionListener()
    rpc.on('block-added', () => undefined)
    tracker.add(utxo)
    return () => h('p', [rpc.connectionState.value, String(utxo.balance.value.mature), transactions.value.length])
  })
}
