import { h } from 'vue'
import { CopyButton } from '../CopyButton.js'
import { fill, type PartContext } from '../part.js'

/** So much of an address's end is always seen. */
const END = 6

/**
 * The account's address, as much of it as there is room for, whole in its title, with a button that copies it. It reads
 * from left to right in every language.
 */
export const address = (context: PartContext, full: string) => {
  const { texts, actions } = context
  const { copy } = actions
  const copyIt = copy === null ? null : () => copy(full)
  return fill(context, 'address', { address: full, copy: copyIt }, () => [
    h('span', { class: 'vc-address', dir: 'ltr', title: full }, [
      h('span', { class: 'vc-address-start' }, full.slice(0, -END)),
      h('span', full.slice(-END)),
    ]),
    copyIt === null ? null : h(CopyButton, { texts, copy: copyIt }),
  ])
}
