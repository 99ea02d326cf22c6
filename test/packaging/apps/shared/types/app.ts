/** A page in TypeScript: the plugin, queries, a component with its props, and the style sheet. */
import 'vue-chain/style.css'
import { createApp, h } from 'vue'
import { ConnectWallet, VueChain, useChain, useRestQuery, useRpcQuery, useUtxo } from 'vue-chain'
import { light } from 'vue-chain/light'
import { mountWithChain } from 'vue-chain/testing/vue'

const texts = { connect: 'Sign in' }

createApp({
  setup() {
    const { data } = useRpcQuery({
      queryKey: ['sink'],
      queryFn: ({ rpc }) => rpc.getSink(),
      select: ({ sink }) => sink,
    })
    const { data: tip } = useRestQuery({ queryKey: ['tip'], queryFn: ({ rest }) => rest.getBlockDag() })
    const { balance } = useUtxo('kaspasim:address')
    const { isReady } = useChain()
    const line: () => string | undefined = () => data.value ?? tip.value?.sink
    const amount: () => bigint | null = () => (isReady.value ? (balance.value?.mature ?? null) : null)
    return () => h(ConnectWallet, { network: null, texts }, { footer: () => `${line() ?? ''} ${amount() ?? ''}` })
  },
})
  .use(VueChain, { network: 'simnet', wasmUrl: '/kaspa_bg.wasm', sdk: light })
  .component('ConnectWallet', ConnectWallet)

export const mount = mountWithChain
