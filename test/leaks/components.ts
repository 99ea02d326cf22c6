import { createApp, defineComponent, h, nextTick, shallowRef, type Component } from 'vue'
import { useRpc } from '../../src/adapters/vue/composables/useRpc.js'
import { useTransactionListener } from '../../src/adapters/vue/composables/useTransactionListener.js'
import { useUtxo } from '../../src/adapters/vue/composables/useUtxo.js'
import { VueChain } from '../../src/adapters/vue/plugin/plugin.js'
import type { Devnode } from '../../src/devnode/index.js'
import { atNode, createFlock, inProcess, remains, type Flock, type World } from './traces.js'

/** Mounts and unmounts components in one app, one after the other, while blocks come. What is left of them. */
export async function leftByComponents(count: number, world: World): Promise<readonly string[]> {
  const { devnode } = world
  const flock = createFlock('components')
  const shown = shallowRef<number | null>(0)
  const Balance = createBalance(devnode, flock)
  const app = createApp({ render: () => (shown.value === null ? null : h(Balance, { key: shown.value })) })
  app.use(VueChain, { network: 'simnet', url: devnode.urls.borsh })
  app.mount(document.createElement('div'))

  for (let turn = 1; turn < count; turn++) {
    shown.value = turn
    await nextTick()
    if (turn % 50 === 0) await devnode.mine()
  }
  shown.value = null
  await nextTick()
  const left = await remains(
    `after ${count} components`,
    () => [...atNode(world).slice(1), ...flock.alive()], // the app keeps its connection
    world,
  )
  app.unmount()
  return [...left, ...(await remains('after the app', () => [...atNode(world), ...inProcess(world)], world))]
}

/** A component that shows what most do: a connection, a balance, and what was accepted lately. */
function createBalance({ accounts }: Devnode, flock: Flock): Component {
  return defineComponent(() => {
    const rpc = useRpc()
    const utxo = useUtxo(accounts.map(({ address }) => address))
    const { transactions } = useTransactionListener()
    rpc.on('block-added', () => undefined)
    flock.add(utxo)
    return () => h('p', [rpc.connectionState.value, String(utxo.balance.value.mature), transactions.value.length])
  })
}
