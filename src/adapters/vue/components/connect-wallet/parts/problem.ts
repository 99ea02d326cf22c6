import { h } from 'vue'
import { fill, type Part } from '../part.js'
import { toProblem } from '../wording.js'

/** What went wrong last, in words, read out at once; not again in a later opening of the dialog. */
export const problem: Part = (context) => {
  const error = context.wallet.error.value
  const text = toProblem(error, context.texts)
  if (error === null || text === null || error === context.told) return null
  return fill(context, 'problem', { text, error }, () => h('p', { class: 'vc-problem', role: 'alert' }, text))
}
