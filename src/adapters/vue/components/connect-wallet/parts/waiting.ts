import { h, type VNode } from 'vue'
import { nameOf, type PartContext } from '../part.js'

/** A pending prompt: a spinner, where to confirm, and a button that aborts it. */
export const waiting = (context: PartContext): VNode =>
  h('div', { class: 'vc-waiting' }, [
    h('span', { class: 'vc-spinner', 'aria-hidden': 'true' }),
    h('p', { role: 'status' }, context.texts.continueIn(nameOf(context))),
    h(
      'button',
      { type: 'button', class: 'vc-button vc-primary', onClick: context.actions.abort },
      context.texts.cancel,
    ),
  ])
