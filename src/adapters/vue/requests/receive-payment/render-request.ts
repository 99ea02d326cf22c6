import { h, type Slot, type VNodeChild } from 'vue'
import type { ChainError } from '../../../../errors/chain-error.js'
import { sompiToKaspa, toAmountText } from '../../../../model/amount.js'
import { toPaymentUri } from '../../../../model/payment-uri.js'
import { toQrText } from '../../../../streams/requests/page-request.js'
import type { PaymentRequestState } from '../../../../streams/requests/state.js'
import type { RequestTerms } from '../../../../streams/requests/terms.js'
import {
  CopyButton,
  hasClipboard,
  writeToClipboard,
  type CopyOutcome,
} from '../../components/connect-wallet/CopyButton.js'
import { shortenAddress } from '../../components/connect-wallet/trigger.js'
import { type DescribedState, mark } from './describe-state.js'
import { QrCode } from './lazy-qr-code.js'
import type { ReceivePaymentSlots, ReceivePaymentTexts } from './replacements.js'
import type { UseWalletPaymentReturn } from './use-wallet-payment.js'

/** The app's slots by name. */
type PartSlots = { readonly [Name in keyof ReceivePaymentSlots]?: Slot<ReceivePaymentSlots[Name]> }

/** What the component shows. */
export interface RenderContext {
  readonly state: PaymentRequestState
  /** Null without a valid request. */
  readonly terms: RequestTerms | null
  /** Sompi that are left to pay. */
  readonly due: bigint
  readonly described: DescribedState | null
  /** Ms. */
  readonly remaining: number | null
  readonly error: ChainError | null
  readonly payment: UseWalletPaymentReturn
  readonly texts: ReceivePaymentTexts
  readonly announcement: string
  readonly announce: (text: string) => void
  readonly slots: PartSlots
}

interface ShownContext extends RenderContext {
  readonly terms: RequestTerms
  readonly described: DescribedState
}

export function renderRequest(context: RenderContext): VNodeChild {
  const { error, texts, terms, described, announcement } = context
  const content =
    error !== null
      ? slot(context, 'problem', { error, text: texts.problem }, () => h('p', { class: 'vc-problem' }, texts.problem))
      : terms === null || described === null
        ? null
        : parts({ ...context, terms, described })
  return h(
    'section',
    { ref: 'section', tabindex: -1, class: `vc-receive vc-receive-${described?.tone ?? 'unknown'}` },
    [content, h('p', { class: 'vc-visually-hidden', role: 'status' }, announcement)],
  )
}

const parts = (context: ShownContext): VNodeChild[] => {
  const { state, described, slots } = context
  const isOpen = described.isPayable || described.tone === 'unknown'
  const body = isOpen
    ? [amount(context), qrCode(context), status(context), details(context), actions(context)]
    : [slot(context, 'done', { state, text: described.text }, () => done(context))]
  return [...body, slots.footer?.({ state })]
}

function amount(context: ShownContext): VNodeChild {
  const { due, terms, texts } = context
  const text = toAmountText(due, terms.network)
  const copy = copyOf(context, sompiToKaspa(due))
  return slot(context, 'amount', { amount: due, text, copy }, () =>
    h('header', { class: 'vc-receive-amount' }, [
      h('p', { class: 'vc-muted' }, texts.title),
      h('p', { class: 'vc-receive-sum' }, [
        h('span', { dir: 'ltr' }, text),
        copyButton(context, texts.copyAmount, copy),
      ]),
    ]),
  )
}

function qrCode(context: ShownContext): VNodeChild {
  const { due, terms, texts } = context
  const label = texts.qrCode(toAmountText(due, terms.network), shortenAddress(terms.address))
  const text = toQrText({ ...terms, amount: due })
  return slot(context, 'qr', { text, label }, () => h('div', { class: 'vc-qr-frame' }, [h(QrCode, { text, label })]))
}

function status(context: ShownContext): VNodeChild {
  const { state, described, texts, remaining } = context
  const isCounting = remaining !== null && state.status === 'waiting' && remaining > 0
  const left = isCounting ? remaining : null
  return slot(context, 'status', { state, text: described.text, notes: described.notes, remaining: left }, () => [
    h('p', { class: 'vc-receive-status' }, [
      h('span', { class: 'vc-receive-mark', 'aria-hidden': 'true' }, [mark(described.tone)]),
      h('span', described.text),
      left === null
        ? null
        : h('span', { class: 'vc-receive-time vc-muted', role: 'timer' }, texts.remaining(toClock(left))),
    ]),
    ...notes(described),
  ])
}

function done(context: ShownContext): VNodeChild {
  const { described, state, terms } = context
  return [
    h('div', { class: 'vc-receive-done' }, [
      h('span', { class: 'vc-receive-mark', 'aria-hidden': 'true' }, [mark(described.tone)]),
      h('p', { class: 'vc-receive-result' }, described.text),
      state.status === 'expired'
        ? null
        : h('p', { class: 'vc-receive-sum', dir: 'ltr' }, toAmountText(state.received + state.pending, terms.network)),
      described.confirmations === null ? null : h('p', { class: 'vc-muted' }, described.confirmations),
    ]),
    ...notes(described),
  ]
}

const notes = ({ notes: all }: DescribedState): VNodeChild[] =>
  all.map((note) => h('p', { class: 'vc-information' }, note))

function details(context: ShownContext): VNodeChild {
  const { terms, texts } = context
  const uri = uriOf(context)
  const copyAddress = copyOf(context, terms.address)
  const copyLink = copyOf(context, uri)
  return h('dl', { class: 'vc-receive-details' }, [
    row(
      texts.address,
      slot(context, 'address', { address: terms.address, copy: copyAddress }, () => [
        h('span', { class: 'vc-receive-text', dir: 'ltr' }, terms.address),
        copyButton(context, texts.copyAddress, copyAddress),
      ]),
    ),
    row(
      texts.link,
      slot(context, 'link', { uri, copy: copyLink }, () => [
        h('span', { class: 'vc-receive-text vc-receive-uri', dir: 'ltr' }, uri),
        copyButton(context, texts.copyLink, copyLink),
      ]),
    ),
  ])
}

const row = (label: string, value: VNodeChild) =>
  h('div', [h('dt', label), h('dd', Array.isArray(value) ? value : [value])])

function actions(context: ShownContext): VNodeChild {
  const { texts, payment } = context
  const uri = uriOf(context)
  const { pay, isBusy, label, problem } = payment
  const button = { type: 'button', class: 'vc-button vc-primary', disabled: isBusy.value, onClick: () => pay.value?.() }
  return slot(context, 'actions', { uri, pay: isBusy.value ? null : pay.value }, () => [
    h('div', { class: 'vc-receive-actions' }, [
      pay.value === null ? null : h('button', button, label.value),
      h('a', { class: pay.value === null ? 'vc-button vc-primary' : 'vc-button', href: uri }, texts.openWallet),
    ]),
    problem.value === null ? null : h('p', { class: 'vc-problem', role: 'alert' }, problem.value),
  ])
}

/** What is left to pay. */
const uriOf = ({ terms, due }: ShownContext): string => toPaymentUri({ ...terms, amount: due })

/** Copies a text and announces it; null without access to the clipboard. */
const copyOf = ({ texts, announce }: RenderContext, text: string): (() => Promise<CopyOutcome>) | null =>
  hasClipboard()
    ? async () => {
        const outcome = await writeToClipboard(text)
        announce(outcome === 'copied' ? texts.copied : texts.notCopied)
        return outcome
      }
    : null

const copyButton = ({ texts }: RenderContext, label: string, copy: (() => Promise<CopyOutcome>) | null): VNodeChild =>
  copy === null ? null : h(CopyButton, { texts: { ...texts, copy: label }, copy })

/** Renders the app's slot if given, otherwise the default. */
function slot<Name extends keyof ReceivePaymentSlots>(
  { slots }: Pick<RenderContext, 'slots'>,
  name: Name,
  props: ReceivePaymentSlots[Name],
  fallback: () => VNodeChild,
): VNodeChild {
  const given: Slot<ReceivePaymentSlots[Name]> | undefined = slots[name]
  return given === undefined ? fallback() : given(props)
}

/** `14:59`, or with hours `1:02:03`. */
function toClock(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  const [first = 0, ...rest] = parts[0] === 0 ? parts.slice(1) : parts
  return [String(first), ...rest.map((part) => String(part).padStart(2, '0'))].join(':')
}
