import { h, type VNode } from 'vue'
import { renderSlot, type Part, type PartContext } from '../part.js'
import type { WalletOption } from '../wallet-option.js'
import { icon } from './icon.js'

/** The wallet list, with a notice if none is installed. */
export const walletList: Part = (context) => [
  context.options.some(({ presence }) => presence === 'installed')
    ? null
    : h('p', { class: 'vc-note' }, context.texts.noWallet),
  h(
    'ul',
    { class: 'vc-wallets' },
    context.options.map((option) => h('li', { key: option.id }, [entry(context, option)])),
  ),
]

function entry(context: PartContext, option: WalletOption) {
  const connect = (): void => {
    if (option.presence === 'installed') context.actions.connect(option.target)
  }
  return renderSlot(context, 'wallet', { option, connect }, () =>
    option.presence === 'installed' ? choice(context, option, connect) : download(context, option),
  )
}

const choice = ({ texts }: PartContext, option: WalletOption, connect: () => void): VNode =>
  h('button', { type: 'button', class: 'vc-option', onClick: connect }, [icon(option), names(option, texts.installed)])

const download = ({ texts }: PartContext, option: WalletOption): VNode =>
  h('div', { class: 'vc-option vc-option-missing' }, [
    icon(option),
    names(option, texts.notInstalled),
    option.home === null ? null : link(option.home, texts.getIt(option.name)),
  ])

const names = ({ name }: WalletOption, state: string): VNode =>
  h('span', { class: 'vc-option-text' }, [
    h('span', { class: 'vc-name', dir: 'auto', title: name }, name),
    ' ',
    h('span', { class: 'vc-option-state' }, state),
  ])

const link = (href: string, text: string): VNode =>
  h('a', { class: 'vc-link', href, target: '_blank', rel: 'noopener noreferrer' }, text)
