import { h, type VNode } from 'vue'
import type { WalletOption } from '../wallet-option.js'

/** The wallet's own picture, or the first letter of its name. */
export const icon = ({ icon: source, name }: Pick<WalletOption, 'icon' | 'name'>): VNode =>
  source === null
    ? h('span', { class: 'vc-icon', 'aria-hidden': 'true' }, name.charAt(0))
    : h('img', { class: 'vc-icon', src: source, alt: '' })
