import { h, type VNode } from 'vue'
import type { WalletOption } from '../wallet-option.js'

/** The wallet's own picture, or its initials: those of KasWare and Kastle differ. */
export const icon = ({ icon: source, name }: Pick<WalletOption, 'icon' | 'name'>): VNode =>
  source === null
    ? h('span', { class: 'vc-icon', 'aria-hidden': 'true' }, initialsOf(name))
    : h('img', { class: 'vc-icon', src: source, alt: '' })

/** Two capitals of a name where it has them, else its first letter. */
function initialsOf(name: string): string {
  const [first = '', second] = name.match(/\p{Lu}/gu) ?? []
  return second === undefined ? (Array.from(name)[0] ?? '').toUpperCase() : first + second
}
