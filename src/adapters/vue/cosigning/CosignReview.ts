import {
  computed,
  defineComponent,
  h,
  useId,
  type DefineSetupFnComponent,
  type PropType,
  type SlotsType,
  type Slot,
  type VNodeChild,
} from 'vue'
import type { Proposal, CosignerState, ReviewedOutput } from '../../../operations/cosigning/records.js'
import { useNetwork } from '../composables/useNetwork.js'
import { type CosignReviewSlots, ENGLISH, type CosignReviewTexts } from './review-replacements.js'
import { toAmountText } from '../../../model/amount.js'

/** Props of `<CosignReview>`. */
export interface CosignReviewProps {
  /** The verified payment, as `useCosigning` has it; null for none yet. */
  readonly proposal: Proposal | null
  /** Replacements for the English texts. */
  readonly texts?: Partial<CosignReviewTexts> | undefined
}

/**
 * Shows what a cosigner should see before signing: recipients, amounts, fee, what is unproven, and who has signed.
 * Everything is computed from the bytes to be signed. Every part is a slot; `vue-chain/cosigning.css` contains the
 * default style.
 */
export const CosignReview: DefineSetupFnComponent<
  CosignReviewProps,
  Record<never, never>,
  SlotsType<CosignReviewSlots>
> = /*#__PURE__*/ defineComponent({
  name: 'CosignReview',
  props: {
    proposal: { type: [Object, null] as PropType<Proposal | null>, required: true },
    texts: { type: Object as PropType<Partial<CosignReviewTexts>>, default: () => ({}) },
  },
  slots: Object as SlotsType<CosignReviewSlots>,
  setup(props, { slots }) {
    const { currentNetwork } = useNetwork()
    const titleId = useId()
    const texts = computed((): CosignReviewTexts => ({ ...ENGLISH, ...props.texts }))
    return () => {
      const { proposal } = props
      const context = { network: currentNetwork.value, titleId, texts: texts.value, slots }
      if (proposal === null) return h('div', { class: 'vc-cosign' }, [renderEmpty(context)])
      const labelled = { role: 'group', 'aria-labelledby': titleId } // no landmark: a page may show several
      return h('div', { class: 'vc-cosign', ...labelled }, renderReview({ ...context, proposal }))
    }
  },
})

/** What the component shows. */
interface RenderContext {
  readonly proposal: Proposal
  /** Its unit is shown. */
  readonly network: string
  /** The id of the title. */
  readonly titleId: string
  readonly texts: CosignReviewTexts
  readonly slots: { readonly [Name in keyof CosignReviewSlots]?: Slot<CosignReviewSlots[Name]> }
}

const renderReview = (context: RenderContext): VNodeChild[] => [
  amount(context),
  facts(context),
  warnings(context),
  signers(context),
  status(context),
  context.slots.actions?.({ proposal: context.proposal }),
]

/** In place of a payment. */
const renderEmpty = ({ texts, slots }: Pick<RenderContext, 'texts' | 'slots'>): VNodeChild =>
  slots.empty?.({ text: texts.empty }) ?? h('p', { class: 'vc-muted' }, texts.empty)

function amount(context: RenderContext): VNodeChild {
  const { proposal, texts, titleId, slots } = context
  const sompi = proposal.review.spendsFromAccount
  const text = amountText(context, sompi)
  return h('header', { class: 'vc-cosign-amount' }, [
    h('h2', { id: titleId, class: 'vc-cosign-title' }, texts.title),
    slots.amount?.({ amount: sompi, text }) ?? [
      h('p', { class: 'vc-muted' }, texts.spends),
      h('p', { class: 'vc-cosign-sum', dir: 'ltr' }, text),
    ],
  ])
}

function facts(context: RenderContext): VNodeChild {
  const { proposal, texts } = context
  const { recipients, fee, change, transactions } = proposal.review
  const payloads = transactions.flatMap(({ payload }) => (payload === '' ? [] : [payload]))
  return h('dl', { class: 'vc-cosign-facts' }, [
    row(
      texts.recipients,
      recipients.map((recipient) => recipientOf(context, recipient)),
    ),
    row(texts.fee, [h('dd', { dir: 'ltr' }, amountText(context, fee))]),
    change > 0n ? row(texts.change, [h('dd', { dir: 'ltr' }, amountText(context, change))]) : null,
    payloads.length === 0
      ? null
      : row(
          texts.payload,
          payloads.map((payload) => h('dd', { class: 'vc-cosign-text', dir: 'ltr' }, payload)),
        ),
    transactions.length > 1
      ? h('div', { class: 'vc-muted' }, [h('dd', texts.transactions(transactions.length))])
      : null,
  ])
}

function recipientOf(context: RenderContext, recipient: ReviewedOutput): VNodeChild {
  const text = amountText(context, recipient.amount)
  const to = recipient.address ?? recipient.script
  return h(
    'dd',
    { class: 'vc-cosign-recipient' },
    context.slots.recipient?.({ recipient, to, text }) ?? [
      h('span', { class: 'vc-cosign-text', dir: 'ltr' }, to),
      h('span', { class: 'vc-cosign-figure', dir: 'ltr' }, text),
    ],
  )
}

function warnings({ proposal, texts, slots }: RenderContext): VNodeChild {
  const found = warningsOf(proposal, texts)
  if (found.length === 0) return null
  return slots.warnings?.({ proposal, texts: found }) ?? found.map((text) => h('p', { class: 'vc-problem' }, text))
}

function signers({ proposal, texts, slots, titleId }: RenderContext): VNodeChild {
  const id = `${titleId}-signers`
  return h('div', [
    h('h3', { id, class: 'vc-cosign-heading vc-muted' }, texts.signers),
    h(
      'ul',
      { class: 'vc-cosign-signers', 'aria-labelledby': id },
      proposal.signers.map((signer) => signerOf(signer, texts, slots.signer)),
    ),
  ])
}

function signerOf(
  signer: CosignerState,
  texts: CosignReviewTexts,
  slot: Slot<CosignReviewSlots['signer']> | undefined,
): VNodeChild {
  const { cosigner, isOwn, hasSigned, key } = signer
  const name = texts.cosigner(cosigner + 1, isOwn)
  const text = texts.signed[hasSigned]
  return h(
    'li',
    { key, class: `vc-cosign-signer vc-cosign-${hasSigned}` },
    slot?.({ signer, name, text }) ?? [h('span', name), h('span', { class: 'vc-cosign-mark' }, text)],
  )
}

function status({ proposal, texts, slots }: RenderContext): VNodeChild {
  const text = proposal.isComplete ? texts.complete : texts.incomplete
  return h('div', { class: 'vc-cosign-status', role: 'status' }, slots.status?.({ proposal, text }) ?? text)
}

/** A term with its descriptions. */
const row = (term: string, descriptions: VNodeChild[]): VNodeChild => h('div', [h('dt', term), descriptions])

const amountText = ({ network }: RenderContext, sompi: bigint): string => toAmountText(sompi, network)

/** What a cosigner should look at before signing. */
function warningsOf({ review, rejectedSignatures }: Proposal, texts: CosignReviewTexts): readonly string[] {
  const foreign = review.transactions.flatMap(({ inputs }) => inputs.filter(({ isOwn }) => !isOwn)).length
  const isForgetful = !review.areAmountsCommitted && !review.isAmountMemoryDurable
  const found = [
    !review.areAmountsVerified && texts.unverified,
    isForgetful && texts.forgetful,
    foreign > 0 && texts.foreign(foreign),
    rejectedSignatures.length > 0 && texts.rejected(rejectedSignatures.length),
  ]
  return found.filter((text) => text !== false)
}
