import { h } from 'vue'
import { CopyButton } from '../CopyButton.js'
import { renderSlot, type PartContext } from '../part.js'

/** Characters at the end of an address that are never truncated. */
const SUFFIX_LENGTH = 6

/**
 * The account's address, truncated to the available width, complete in `title`, always left to right; with a copy
 * button.
 */
export const address = (context: PartContext, full: string) => {
  const { texts, actions } = context
  const { copy } = actions
  const copyIt = copy === null ? null : () => copy(full)
  return renderSlot(context, 'address', { address: full, copy: copyIt }, () => [
    h('span', { class: 'vc-address', dir: 'ltr', title: full }, [
      h('span', { class: 'vc-address-start' }, full.slice(0, -SUFFIX_LENGTH)),
      h('span', { class: 'vc-address-end' }, full.slice(-SUFFIX_LENGTH)),
    ]),
    copyIt === null ? null : h(CopyButton, { texts, copy: copyIt }),
  ])
}
