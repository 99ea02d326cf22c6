import { h, type VNode } from 'vue'
import { renderSlot, type Part, type PartContext } from '../part.js'
import type { WalletOption } from '../dialog-model.js'

/** Neutral drawings of the built-in wallets, not their logos: a folded wallet, and a castle. */
const DRAWINGS: ReadonlyMap<string, string> = /*#__PURE__*/ new Map([
  ['walletA', 'M5 9.5h13.5v9H7a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2h9.5v2M18.5 12.5h-4a1.5 1.5 0 0 0 0 3h4'],
  ['walletB', 'M5.5 19V6.5h2.6V9h2.6V6.5h2.6V9h2.6V6.5h2.6V19zM10 19v-3.5a2 2 0 0 1 4 0V19'],
])

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

/** The wallet's icon: its own, a drawing of a built-in wallet, or its initials. */
function icon({ id, icon: source, name }: Pick<WalletOption, 'id' | 'icon' | 'name'>): VNode {
  if (source !== null) return h('img', { class: 'vc-icon', src: source, alt: '' })
  const drawing = DRAWINGS.get(id)
  return h(
    'span',
    { class: 'vc-icon', 'aria-hidden': 'true' },
    drawing === undefined ? initialsOf(name) : draw(drawing),
  )
}

const draw = (path: string): VNode[] => [
  h('svg', { viewBox: '0 0 24 24', width: 24, height: 24 }, [
    h('path', { d: path, fill: 'none', stroke: 'currentColor', 'stroke-width': 1.5, 'stroke-linejoin': 'round' }),
  ]),
]

/** The first two capital letters of a name, otherwise its first letter. */
function initialsOf(name: string): string {
  const [first = '', second] = name.match(/\p{Lu}/gu) ?? []
  return second === undefined ? (Array.from(name)[0] ?? '').toUpperCase() : first + second
}
