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
import { type ChainNetwork, NETWORKS } from '../../../../model/network.js'
import type { UseWalletReturn } from '../../composables/useWallet.js'
import { createActions, toView, type DialogView, useShownBalance, toOptions } from './dialog-model.js'
import { ENGLISH, type DialogTexts, toProblemText } from './texts.js'
import { renderSlot, type Part, type PartContext, type ConnectWalletSlots } from './part.js'
import { account, connecting, contradictory, disconnected, locked } from './parts/selected-wallet.js'
import { walletList } from './parts/wallet-list.js'
import type { InterruptedPayment } from '../../../../streams/wallet/interrupted.js'
import { toAmountText } from '../../../../model/amount.js'

const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex="0"]'

const BODIES: Readonly<Record<DialogView, Part>> = {
  choose: walletList,
  connecting,
  account,
  locked,
  contradictory,
  disconnected,
}

/**
 * The dialog of ConnectWallet, open while mounted. The native modal `<dialog>` makes the page inert, closes on Escape
 * and restores the focus.
 */
export const WalletDialog = /*#__PURE__*/ defineComponent({
  name: 'WalletDialog',
  props: {
    wallet: { type: Object as PropType<UseWalletReturn>, required: true },
    /** The expected network; null accepts any. */
    expected: { type: String as PropType<ChainNetwork | null>, default: null },
    /** Whether the wallet is on another network. */
    isOnWrongNetwork: { type: Function as PropType<() => boolean>, required: true },
    /** The error already shown in an earlier opening. */
    dismissedError: { type: Object as PropType<ChainWalletError | null>, default: null },
    texts: { type: Object as PropType<Partial<DialogTexts>>, default: () => ({}) },
    /** The latest announcement, for screen readers. */
    announcement: { type: String, required: true },
    announce: { type: Function as PropType<(text: string) => void>, required: true },
  },
  emits: ['close'],
  slots: Object as SlotsType<ConnectWalletSlots>,
  setup(props, { emit, slots }) {
    const { wallet, isOnWrongNetwork, announce } = props // constant for the lifetime of the dialog
    const element = useTemplateRef<HTMLDialogElement>('dialog')
    const titleId = useId()
    const texts = computed((): DialogTexts => ({ ...ENGLISH, ...props.texts }))
    const options = computed(() => toOptions(wallet))
    const view = computed(() => toView(wallet.status.value, wallet.pending.value, isOnWrongNetwork()))
    const balance = useShownBalance(wallet)
    const close = (): void => element.value?.close()
    const actions = createActions({ wallet, isOnWrongNetwork, texts: () => texts.value, announce, close })
    const frame = { class: frameClass(), onKeydown: trapFocusInDialog, ...closeOnBackdrop(close) }
    onMounted(() => element.value?.showModal())
    // The focused element is removed with the previous view; without this the focus moves to the page
    watch(view, () => element.value?.querySelector<HTMLElement>('.vc-title')?.focus(), { flush: 'post' })

    const toContext = (): PartContext => ({
      wallet,
      options: options.value,
      balance: balance.value,
      expected: props.expected,
      isOnWrongNetwork,
      dismissedError: props.dismissedError,
      texts: texts.value,
      actions,
      slots,
    })
    return () =>
      h('dialog', { ref: 'dialog', 'aria-labelledby': titleId, ...frame, onClose: () => emit('close') }, [
        h('div', { class: 'vc-sheet' }, [
          ...contents(toContext(), view.value, titleId),
          h('p', { class: 'vc-visually-hidden', role: 'status' }, props.announcement),
        ]),
      ])
  },
})

const trapFocusInDialog = (event: KeyboardEvent): void => trapFocus(event, event.currentTarget as HTMLDialogElement)

/**
 * An open dialog disables page scrolling. `vc-with-scrollbar` reserves the space of the scroll bar to avoid a layout
 * shift.
 */
const frameClass = (): string =>
  window.innerWidth > document.documentElement.clientWidth ? 'vc-dialog vc-with-scrollbar' : 'vc-dialog'

/** The views of a selected wallet. */
const ACCOUNT_VIEWS: readonly DialogView[] = ['account', 'locked', 'contradictory', 'disconnected']

/** A prompt of a connected wallet belongs to its account, except that of another `connect`. */
const isOfAccount = ({ wallet }: PartContext, view: DialogView): boolean =>
  ACCOUNT_VIEWS.includes(view) || (view === 'connecting' && wallet.pending.value !== 'connect')

const contents = (context: PartContext, view: DialogView, titleId: string): VNodeChild[] => [
  header(context, titleId, isOfAccount(context, view) ? context.texts.accountTitle : context.texts.chooseTitle),
  problem(context),
  interrupted(context),
  BODIES[view](context),
  renderSlot(context, 'footer', {}, () => null),
]

/**
 * Handlers that close a dialog on a backdrop click. Pointer down and click must both hit the backdrop: a text selection
 * that ends outside does not count, nor does the second click of a double click on the opening button.
 */
function closeOnBackdrop(close: () => void) {
  let pressed: EventTarget | null = null
  return {
    onPointerdown: ({ target }: PointerEvent): void => {
      pressed = target
    },
    onClick: ({ target, currentTarget, detail }: MouseEvent): void => {
      if (target === currentTarget && pressed === currentTarget && detail < 2) close()
    },
  }
}

/** Keeps Tab inside `root`: after the last focusable element follows the first. */
function trapFocus(event: KeyboardEvent, root: HTMLElement): void {
  if (event.key !== 'Tab') return
  const focusable = [...root.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (stop) => stop.getClientRects().length > 0,
  )
  const index = focusable.findIndex((stop) => stop === document.activeElement)
  const leaves = event.shiftKey ? index <= 0 : index === focusable.length - 1
  if (!leaves) return
  event.preventDefault()
  focusable.at(event.shiftKey ? -1 : 0)?.focus()
}

/** The heading, which is focused when the view changes, and the close button. */
const header = (context: PartContext, id: string, text: string) =>
  h('div', { class: 'vc-header' }, [
    h('h2', { id, class: 'vc-title', tabindex: -1 }, [renderSlot(context, 'title', { text }, () => text)]),
    renderSlot(context, 'close', { close: context.actions.close }, () =>
      h(
        'button',
        { type: 'button', class: 'vc-close', 'aria-label': context.texts.close, onClick: context.actions.close },
        [closeIcon()],
      ),
    ),
  ])

const closeIcon = () =>
  h('svg', { viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true' }, [
    h('path', { d: 'M3.5 3.5l9 9M12.5 3.5l-9 9', fill: 'none', stroke: 'currentColor', 'stroke-width': 1.4 }),
  ])

/**
 * The latest error, announced at once; the user's own refusal is information. Not shown again when the dialog is
 * reopened.
 */
const problem: Part = (context) => {
  const error = context.wallet.error.value
  const text = toProblemText(error, context.texts)
  if (error === null || text === null || error === context.dismissedError) return null
  return renderSlot(context, 'problem', { text, error }, () =>
    error.code === 'rejected'
      ? h('p', { class: 'vc-information', role: 'status' }, text)
      : h('p', { class: 'vc-problem', role: 'alert' }, text),
  )
}

/** The payments of this tab whose outcome is not known, each with a button that dismisses it. */
const interrupted: Part = (context) =>
  context.wallet.interrupted.value.map((payment) => {
    const dismiss = (): void => context.wallet.dismissInterrupted(payment.id)
    return renderSlot(context, 'interrupted', { payment, dismiss }, () =>
      h('div', { class: 'vc-warning', key: payment.id }, [
        h('p', { role: 'status' }, textOf(context, payment)),
        h('button', { type: 'button', class: 'vc-button', onClick: dismiss }, context.texts.dismiss),
      ]),
    )
  })

function textOf({ options, texts }: PartContext, { wallet, outputs, from }: InterruptedPayment): string {
  const name = options.find(({ id }) => id === wallet)?.name ?? wallet
  const total = outputs.reduce((sum, { amount }) => sum + amount, 0n)
  const network = Object.values(NETWORKS).find(({ addressPrefix }) => from.startsWith(`${addressPrefix}:`))
  return texts.isInterrupted(
    name,
    toAmountText(total, network?.id ?? null),
    outputs.map(({ address }) => address).join(', '),
  )
}
