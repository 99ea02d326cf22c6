import {
  computed,
  defineAsyncComponent,
  defineComponent,
  h,
  inject,
  nextTick,
  shallowRef,
  type ComponentOptionsMixin,
  type ComputedOptions,
  type DefineComponent,
  type MethodOptions,
  type PropType,
  type PublicProps,
  type SlotsType,
  type VNodeChild,
  type ComputedRef,
} from 'vue'
import type { ChainWalletError } from '../../../errors/wallet-error.js'
import { loadCode } from '../../../loading/load-code.js'
import type { ChainNetwork } from '../../../model/network.js'
import { TEXTS } from '../plugin/options.js'
import type { ConnectWalletSlots, TriggerState } from './connect-wallet/part.js'
import { TRIGGER_TEXTS, trigger } from './connect-wallet/trigger.js'
import type { ConnectWalletTexts } from './connect-wallet/texts.js'
import { isAddressOnNetwork } from '../../../model/network-of-address.js'
import { useStream } from '../bridges/stream-refs.js'
import { useWallet, type UseWalletReturn } from '../composables/useWallet.js'
import { useCore } from '../plugin/core.js'

/** Loaded when the dialog first opens. */
const WalletDialog = /*#__PURE__*/ defineAsyncComponent(() =>
  loadCode(() => import('./connect-wallet/WalletDialog.js')).then((module) => module.WalletDialog),
)

/** Props of `<ConnectWallet>`. */
export interface ConnectWalletProps {
  /** The network the wallet must be on; null accepts any. @default the app's network */
  readonly network?: ChainNetwork | null | undefined
  /** Replacements for the app's texts, which the plugin's option `texts` sets; English by default. */
  readonly texts?: Partial<ConnectWalletTexts> | undefined
}

/**
 * A button with the wallet's status, and a dialog to connect a wallet, show its account, switch its network and
 * disconnect. Every part is a slot; `vue-chain/style.css` contains the default style.
 */
export const ConnectWallet: DefineComponent<
  ConnectWalletProps,
  object,
  object,
  ComputedOptions,
  MethodOptions,
  ComponentOptionsMixin,
  ComponentOptionsMixin,
  Record<never, never>,
  string,
  PublicProps,
  ConnectWalletProps,
  Record<never, never>,
  SlotsType<ConnectWalletSlots>
> = /*#__PURE__*/ defineComponent({
  name: 'ConnectWallet',
  props: {
    network: { type: String as PropType<ChainNetwork | null>, default: undefined },
    texts: { type: Object as PropType<Partial<ConnectWalletTexts>>, default: () => ({}) },
  },
  slots: Object as SlotsType<ConnectWalletSlots>,
  setup(props, { slots }) {
    const appTexts = inject(TEXTS, {})
    const replacements = computed(() => ({ ...appTexts, ...props.texts }))
    const { wallet, expected, isOnWrongNetwork, state } = useNetworkCheck(() => props.network)
    /**
     * Counts the openings, 0 while closed. As the component key it mounts a new dialog each time, so a failed load is
     * retried.
     */
    const opening = shallowRef(0)
    const announcement = shallowRef('')
    const announce = (sentence: string): void => {
      announcement.value = '' // screen readers ignore an unchanged text
      void nextTick(() => (announcement.value = sentence))
    }
    const open = (): void => {
      announcement.value = ''
      opening.value++
    }
    /** The error already shown in an earlier opening. */
    const dismissedError = shallowRef<ChainWalletError | null>(null)
    const onClose = (): void => {
      dismissedError.value = wallet.error.value
      opening.value = 0
    }

    const renderTrigger = (): VNodeChild => {
      const texts = { ...TRIGGER_TEXTS, ...replacements.value }
      return trigger({ wallet, state: state.value, texts, slots, open })
    }
    const renderDialog = (): VNodeChild => {
      const dialogProps = {
        wallet,
        expected: expected.value,
        isOnWrongNetwork,
        dismissedError: dismissedError.value,
        texts: replacements.value,
      }
      return h(
        WalletDialog,
        { key: opening.value, ...dialogProps, announcement: announcement.value, announce, onClose },
        slots,
      )
    }
    return () => {
      const isOpen = opening.value > 0
      // Content behind a modal dialog is inert: the open dialog has its own live region
      const region = h('p', { class: 'vc-visually-hidden', role: 'status' }, isOpen ? '' : announcement.value)
      return h('div', { class: 'vc-connect' }, [renderTrigger(), region, isOpen ? renderDialog() : null])
    }
  },
})

/** The wallet compared with the expected network. */
interface NetworkCheck {
  readonly wallet: UseWalletReturn
  /** The expected network; null accepts any. */
  readonly expected: ComputedRef<ChainNetwork | null>
  /** Whether the wallet is on another network, by its address where it reports none. */
  readonly isOnWrongNetwork: () => boolean
  readonly state: ComputedRef<TriggerState>
}

/** `network` is the component's prop; undefined stands for the app's network. */
function useNetworkCheck(network: () => ChainNetwork | null | undefined): NetworkCheck {
  const core = useCore('ConnectWallet')
  const wallet = useWallet()
  const appNetwork = useStream(core.network$, core.options.network)
  const expected = computed(() => {
    const requested = network()
    return requested === undefined ? appNetwork.value : requested
  })
  const isOnWrongNetwork = (): boolean => {
    const [current, address] = [wallet.network.value, wallet.address.value]
    if (expected.value === null || address === null) return false
    return current === null ? !isAddressOnNetwork(address, expected.value) : current !== expected.value
  }
  return {
    wallet,
    expected,
    isOnWrongNetwork,
    state: computed(() => (wallet.isConnected.value && isOnWrongNetwork() ? 'wrong-network' : wallet.status.value)),
  }
}
