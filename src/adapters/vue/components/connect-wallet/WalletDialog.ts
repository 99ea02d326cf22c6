import {
  computed,
  defineComponent,
  h,
  onMounted,
  useId,
  useTemplateRef,
  watch,
  type PropType,
  type SlotsType,
  type VNodeChild,
} from 'vue'
import type { ChainWalletError } from '../../../../errors/wallet-error.js'
import type { ChainNetwork } from '../../../../model/network.js'
import type { UseWalletReturn } from '../../composables/useWallet.js'
import { createActions } from './actions.js'
import { closeBeside } from './close-beside.js'
import { ENGLISH } from './english.js'
import { keepFocus } from './keep-focus.js'
import { fill, type Part, type PartContext } from './part.js'
import { account } from './parts/account.js'
import { connecting } from './parts/connecting.js'
import { header } from './parts/header.js'
import { gone, locked } from './parts/out-of-reach.js'
import { problem } from './parts/problem.js'
import { walletList } from './parts/wallet-list.js'
import type { ConnectWalletSlots } from './slots.js'
import type { DialogTexts } from './texts.js'
import { toView, type DialogView } from './view.js'
import { toOptions } from './wallet-option.js'

const BODIES: Readonly<Record<DialogView, Part>> = { choose: walletList, connecting, account, locked, gone }

/**
 * The dialog of ConnectWallet, open for as long as it is there. It is the browser's own modal dialog: what lies behind it
 * is inert, Escape closes it, and the focus goes back to where it was.
 */
export const WalletDialog = /*#__PURE__*/ defineComponent({
  name: 'WalletDialog',
  props: {
    wallet: { type: Object as PropType<UseWalletReturn>, required: true },
    /** The network that the page works on; null where any will do. */
    expected: { type: String as PropType<ChainNetwork | null>, default: null },
    /** Whether the wallet is known to be on another one. */
    isElsewhere: { type: Function as PropType<() => boolean>, required: true },
    /** What was told in an earlier opening. */
    told: { type: Object as PropType<ChainWalletError | null>, default: null },
    texts: { type: Object as PropType<Partial<DialogTexts>>, default: () => ({}) },
    /** What was said last, read out while the dialog is open. */
    said: { type: String, required: true },
    say: { type: Function as PropType<(sentence: string) => void>, required: true },
  },
  emits: ['close'],
  slots: Object as SlotsType<ConnectWalletSlots>,
  setup(props, { emit, slots }) {
    const { wallet, isElsewhere, say } = props // the same for as long as the dialog is there
    const element = useTemplateRef<HTMLDialogElement>('dialog')
    const titleId = useId()
    const texts = computed((): DialogTexts => ({ ...ENGLISH, ...props.texts }))
    const options = computed(() => toOptions(wallet))
    const view = computed(() => toView(wallet.status.value, wallet.pending.value))
    const close = (): void => element.value?.close()
    const actions = createActions({ wallet, isElsewhere, texts: () => texts.value, say, close })
    const frame = { class: frameClass(), onKeydown: keepInside, ...closeBeside(close) }
    onMounted(() => element.value?.showModal())
    // What had the focus is gone with the view before; without this it would fall behind the dialog
    watch(view, () => element.value?.querySelector<HTMLElement>('.vc-title')?.focus(), { flush: 'post' })

    const toContext = (): PartContext => ({
      wallet,
      options: options.value,
      expected: props.expected,
      isElsewhere,
      told: props.told,
      texts: texts.value,
      actions,
      slots,
    })
    return () =>
      h('dialog', { ref: 'dialog', 'aria-labelledby': titleId, ...frame, onClose: () => emit('close') }, [
        h('div', { class: 'vc-sheet' }, [
          ...contents(toContext(), view.value, titleId),
          h('p', { class: 'vc-spoken', role: 'status' }, props.said),
        ]),
      ])
  },
})

const keepInside = (event: KeyboardEvent): void => keepFocus(event, event.currentTarget as HTMLDialogElement)

/** The page behind does not scroll; where that takes a scroll bar away, its place is kept so that nothing jumps. */
const frameClass = (): string =>
  window.innerWidth > document.documentElement.clientWidth ? 'vc-dialog vc-beside-scrollbar' : 'vc-dialog'

/** The views that speak of a wallet which is in use already. */
const OWN: readonly DialogView[] = ['account', 'locked', 'gone']

const contents = (context: PartContext, view: DialogView, titleId: string): VNodeChild[] => [
  header(context, titleId, OWN.includes(view) ? context.texts.accountTitle : context.texts.chooseTitle),
  problem(context),
  BODIES[view](context),
  fill(context, 'footer', {}, () => null),
]
