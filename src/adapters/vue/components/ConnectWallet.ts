import {
  defineAsyncComponent,
  defineComponent,
  h,
  nextTick,
  shallowRef,
  type PropType,
  type SlotsType,
  type VNodeChild,
} from 'vue'
import type { ChainWalletError } from '../../../errors/wallet-error.js'
import type { ChainNetwork } from '../../../model/network.js'
import type { ConnectWalletSlots } from './connect-wallet/slots.js'
import { TRIGGER_TEXTS } from './connect-wallet/english-trigger.js'
import type { ConnectWalletTexts } from './connect-wallet/texts.js'
import { trigger } from './connect-wallet/trigger.js'
import { useExpectation } from './connect-wallet/use-expectation.js'

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
    const { wallet, expected, isElsewhere, state } = useExpectation(() => props.network)
    /** The number of the opening, 0 while closed. Each is a dialog of its own: one that could not be fetched is fetched anew. */
    const opening = shallowRef(0)
    const said = shallowRef('')
    const say = (sentence: string): void => {
      said.value = '' // what is said twice in a row is otherwise heard once
      void nextTick(() => (said.value = sentence))
    }
    const open = (): void => {
      said.value = ''
      opening.value++
    }
    /** What went wrong and was told in an earlier opening: it is not told again. */
    const told = shallowRef<ChainWalletError | null>(null)
    const onClose = (): void => {
      told.value = wallet.error.value
      opening.value = 0
    }

    const drawTrigger = (): VNodeChild => {
      const texts = { ...TRIGGER_TEXTS, ...props.texts }
      return trigger({ wallet, state: state.value, texts, slots, open })
    }
    const drawDialog = (): VNodeChild => {
      const asked = { wallet, expected: expected.value, isElsewhere, told: told.value, texts: props.texts }
      return h(WalletDialog, { key: opening.value, ...asked, said: said.value, say, onClose }, slots)
    }
    return () => {
      const isOpen = opening.value > 0
      // Behind an open dialog nothing is read out: it has a region of its own
      const region = h('p', { class: 'vc-spoken', role: 'status' }, isOpen ? '' : said.value)
      return h('div', { class: 'vc-connect' }, [drawTrigger(), region, isOpen ? drawDialog() : null])
    }
  },
})
