import { h } from 'vue'
import { renderSlot, type Part } from '../part.js'
import { toProblemText } from '../format.js'

/**
 * The latest error, announced at once; the user's own refusal is information. Not shown again when the dialog is
 * reopened.
 */
export const problem: Part = (context) => {
  const error = context.wallet.error.value
  const text = toProblemText(error, context.texts)
  if (error === null || text === null || error === context.dismissedError) return null
  return renderSlot(context, 'problem', { text, error }, () =>
    error.code === 'rejected'
      ? h('p', { class: 'vc-information', role: 'status' }, text)
      : h('p', { class: 'vc-problem', role: 'alert' }, text),
  )
}
