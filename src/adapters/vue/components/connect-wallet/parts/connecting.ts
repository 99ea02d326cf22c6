import { h } from 'vue'
import { fill, nameOf, type Part } from '../part.js'

/** While the wallet's own window is open: where to look, and the way out. */
export const connecting: Part = (context) => {
  const { texts, actions } = context
  const name = nameOf(context)
  return fill(context, 'connecting', { name, cancel: actions.cancel }, () =>
    h('div', { class: 'vc-waiting' }, [
      h('span', { class: 'vc-spinner', 'aria-hidden': 'true' }),
      h('p', texts.answerIn(name)),
      h('button', { type: 'button', class: 'vc-button', onClick: actions.cancel }, texts.cancel),
    ]),
  )
}
