import { computed, defineComponent, h, useId, type DefineSetupFnComponent, type PropType, type SlotsType } from 'vue'
import type { Proposal } from '../../../operations/cosigning/records.js'
import { useNetwork } from '../composables/useNetwork.js'
import { renderEmpty, renderReview } from './cosign-review/render-review.js'
import type { CosignReviewSlots } from './cosign-review/slots.js'
import { ENGLISH, type CosignReviewTexts } from './cosign-review/texts.js'

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
