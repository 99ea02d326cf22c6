import {
  computed,
  defineComponent,
  nextTick,
  shallowRef,
  useTemplateRef,
  watch,
  type ComponentOptionsMixin,
  type ComputedOptions,
  type DefineComponent,
  type EmitsToProps,
  type MethodOptions,
  type PropType,
  type PublicProps,
  type SlotsType,
} from 'vue'
import { invalidArgument } from '../../../errors/chain-error.js'
import { storedOf } from '../../../streams/requests/page-request.js'
import type { RequestedPayment } from '../../../streams/requests/requests.js'
import type { PaymentRequestState } from '../../../streams/requests/state.js'
import { readTerms, type StoredPaymentRequest } from '../../../streams/requests/terms.js'
import { describeState } from './receive-payment/describe-state.js'
import { ENGLISH, type ReceivePaymentSlots, type ReceivePaymentTexts } from './receive-payment/replacements.js'
import { renderRequest } from './receive-payment/render-request.js'
import { useWalletPayment } from './receive-payment/use-wallet-payment.js'
import { usePaymentRequest } from './usePaymentRequest.js'

/** Props of `<ReceivePayment>`. */
export interface ReceivePaymentProps {
  /** The stored request, as the shop's server created it, or one that `requests.create` returned; null for none yet. */
  readonly request: StoredPaymentRequest | RequestedPayment | null
  /** Whether a connected browser wallet may pay. @default false */
  readonly wallet?: boolean | undefined
  /** Replacements for the English texts. */
  readonly texts?: Partial<ReceivePaymentTexts> | undefined
}

/**
 * Each is emitted when it is reached, at once for a request that was paid before. For the display only: a server
 * decides on delivery.
 */
export type ReceivePaymentEmits = Record<'paid' | 'confirmed' | 'expired', (state: PaymentRequestState) => boolean>

/**
 * Shows a payment request: QR code, amount, address, link, the time that is left, and how far it is paid. Every part is
 * a slot; `vue-chain/requests.css` contains the default style.
 */
export const ReceivePayment: DefineComponent<
  ReceivePaymentProps,
  object,
  object,
  ComputedOptions,
  MethodOptions,
  ComponentOptionsMixin,
  ComponentOptionsMixin,
  ReceivePaymentEmits,
  string,
  PublicProps,
  Readonly<ReceivePaymentProps> & EmitsToProps<ReceivePaymentEmits>,
  Record<never, never>,
  SlotsType<ReceivePaymentSlots>
> = /*#__PURE__*/ defineComponent({
  name: 'ReceivePayment',
  props: {
    request: { type: [Object, null] as PropType<StoredPaymentRequest | RequestedPayment | null>, required: true },
    wallet: { type: Boolean, default: false },
    texts: { type: Object as PropType<Partial<ReceivePaymentTexts>>, default: () => ({}) },
  },
  emits: {
    paid: (_: PaymentRequestState) => true,
    confirmed: (_: PaymentRequestState) => true,
    expired: (_: PaymentRequestState) => true,
  },
  slots: Object as SlotsType<ReceivePaymentSlots>,
  setup(props, { emit, slots }) {
    const texts = computed((): ReceivePaymentTexts => ({ ...ENGLISH, ...props.texts }))
    requireStored(props.request)
    const { state, remaining, error } = usePaymentRequest(() => (storedOf(props.request) ? props.request : null))
    const terms = computed(() => readTerms(storedOf(props.request)).terms)
    /** Before the first look everything is left to pay. */
    const due = computed(() =>
      state.value.freshness === 'unknown' ? (terms.value?.amount ?? 0n) : state.value.missing,
    )
    const described = computed(() =>
      terms.value === null ? null : describeState(state.value, terms.value, texts.value),
    )
    const payment = useWalletPayment(
      () => (props.wallet && terms.value !== null ? { address: terms.value.address, amount: due.value } : null),
      () => texts.value,
    )
    const announcement = shallowRef('')
    const announce = (sentence: string): void => {
      announcement.value = '' // screen readers ignore an unchanged text
      void nextTick(() => (announcement.value = sentence))
    }
    const spoken = computed(() => [described.value?.text ?? '', ...(described.value?.notes ?? [])].join('. '))
    watch(spoken, announce)
    const section = useTemplateRef<HTMLElement>('section')
    // The focused control is removed where nothing is left to pay; without this the focus moves to the page
    watch(
      () => described.value?.isPayable,
      async () => {
        const element = section.value
        if (element?.contains(document.activeElement) !== true) return
        await nextTick()
        if (!element.contains(document.activeElement)) element.focus()
      },
    )
    const onceReached = (isReached: (current: PaymentRequestState) => boolean, run: () => void): void => {
      watch(
        () => isReached(state.value),
        (reached) => {
          if (reached) run()
        },
        { immediate: true },
      )
    }
    onceReached(isPaid, () => emit('paid', state.value))
    onceReached(isConfirmed, () => emit('confirmed', state.value))
    onceReached(isExpired, () => emit('expired', state.value))
    return () =>
      renderRequest({
        state: state.value,
        terms: terms.value,
        due: due.value,
        described: described.value,
        remaining: remaining.value,
        error: error.value,
        payment,
        texts: texts.value,
        announcement: announcement.value,
        announce,
        slots,
      })
  },
})

const isConfirmed = ({ status }: PaymentRequestState): boolean => status === 'confirmed'

const isPaid = (state: PaymentRequestState): boolean => state.status === 'paid' || isConfirmed(state)

/** Without a connection it may have been paid. */
const isExpired = ({ status, freshness }: PaymentRequestState): boolean => status === 'expired' && freshness === 'fresh'

/** A page that creates requests from an extended public key shows it, and with it all orders. */
function requireStored(request: ReceivePaymentProps['request']): void {
  if (request === null || storedOf(request) !== undefined) return
  throw invalidArgument(
    'request',
    '<ReceivePayment> shows a stored payment request, and this is none',
    'Create it on the server, or with engine.requests.create(), and pass what that returns.',
  )
}
