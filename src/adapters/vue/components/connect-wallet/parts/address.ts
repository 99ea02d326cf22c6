import { h } from 'vue'
import { fill, type PartContext } from '../part.js'

/** So much of an address's end is always seen. */
const END = 6

/** The account's address, as much of it as there is room for, whole in its title, with a button that copies it. */
export const address = (context: PartContext, full: string) => {
  const { copy } = context.actions
  const copyIt = copy === null ? null : () => copy(full)
  return fill(context, 'address', { address: full, copy: copyIt }, () => [
    h('span', { class: 'vc-address', title: full }, [
      h('span', { class: 'vc-address-start' }, full.slice(0, -END)),
      h('span', full.slice(-END)),
    ]),
    copyIt === null ? null : copyButton(context.texts.copy, copyIt),
  ])
}

const copyButton = (label: string, onClick: () => void) =>
  h('button', { type: 'button', class: 'vc-copy', 'aria-label': label, title: label, onClick }, [
    h('svg', { viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true' }, [
      h('path', { d: 'M5.5 5.5h7v8h-7zM3.5 10.5v-8h7', fill: 'none', stroke: 'currentColor', 'stroke-width': 1.2 }),
    ]),
  ])
