import { defineAsyncComponent, defineComponent, h, shallowRef, type PropType, type SlotsType } from 'vue'
import type { ChainNetwork } from '../../../model/network.js'
import { useStream } from '../bridges/stream-to-ref.js'
import { useWallet } from '../composables/useWallet.js'
import { useCore } from '../plugin/core.js'
import type { ConnectWalletSlots } from './connect-wallet/slots.js'
import { TRIGGER_TEXTS, type ConnectWalletTexts } from './connect-wallet/texts.js'
import { trigger } from './connect-wallet/trigger.js'

/** Fetched when the dialog is opened for the first time: most visits never do. */
const WalletDialog = /*#__PURE__*/ defineAsyncComponent(() =>
  import('./connect-wallet/WalletDialog.js').then((module) => module.WalletDialog),
)

/**
 * A button that tells how the user's wallet stands, and a dialog to connect one, look at it, switch its network and let go
 * of it. Every part is a slot; `vue-chain/style.css` gives them their look, without it they are bare.
 */
export const ConnectWallet = /*#__PURE__*/ defineComponent({
  name: 'ConnectWallet',
  props: {
    /** The network that the wallet should be on. By default the app's own; null where any will do. */
    network: { type: String as PropType<ChainNetwork | null>, default: undefined },
    /** Words to be used instead of the English ones. */
    texts: { type: Object as PropType<Partial<ConnectWalletTexts>>, default: () => ({}) },
  },
  slots: Object as SlotsType<ConnectWalletSlots>,
  setup(props, { slots }) {
    const core = useCore('ConnectWallet')
    const wallet = useWallet()
    const appNetwork = useStream(core.network$, core.options.network)
    const dialog = shallowRef<'open' | 'closed'>('closed')
    const said = shallowRef('')
    const expected = (): ChainNetwork | null => (props.network === undefined ? appNetwork.value : props.network)
    const say = (sentence: string): void => {
      said.value = sentence
    }
    const become = (next: 'open' | 'closed') => (): void => {
      dialog.value = next
    }
    return () =>
      h('div', { class: 'vc-connect' }, [
        trigger({
          wallet,
          expected: expected(),
          texts: { ...TRIGGER_TEXTS, ...props.texts },
          slots,
          open: become('open'),
        }),
        dialog.value === 'closed'
          ? h('p', { class: 'vc-spoken', role: 'status' }, said.value)
          : h(
              WalletDialog,
              { network: expected(), texts: props.texts, said: said.value, say, onClose: become('closed') },
              slots,
            ),
      ])
  },
})
