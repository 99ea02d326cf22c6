import { h, type VNodeChild, type VNode } from 'vue'
import { renderSlot, nameOf, type Part, type PartContext } from '../part.js'
import { toNetworkName } from '../texts.js'
import type { ReportedBalance } from '../../../../../wallets/port.js'
import { toAmountText } from '../../../../../model/amount.js'
import { CopyButton } from '../CopyButton.js'
import type { ChainNetwork } from '../../../../../model/network.js'

/** Characters at the end of an address that are never truncated. */
const SUFFIX_LENGTH = 6

/** The connected account: wallet, address, balance, network, and the disconnect button. */
export const account: Part = (context) => {
  const { wallet, texts, actions } = context
  const network = wallet.network.value
  const name = network === null ? '–' : toNetworkName(network)
  return [
    wrongNetwork(context),
    h('dl', { class: 'vc-facts' }, [
      row(texts.wallet, h('span', { class: 'vc-name', dir: 'auto' }, nameOf(context))),
      row(texts.address, address(context, wallet.address.value ?? '')),
      row(texts.balance, balance(context)),
      row(
        texts.network,
        renderSlot(context, 'network', { network, name }, () => name),
      ),
    ]),
    renderSlot(context, 'disconnect', { disconnect: actions.disconnect }, () => disconnectButton(context)),
  ]
}

const row = (label: string, value: VNodeChild) =>
  h('div', [h('dt', label), h('dd', Array.isArray(value) ? value : [value])])

const disconnectButton = ({ texts, actions }: PartContext) =>
  h('button', { type: 'button', class: 'vc-button', onClick: actions.disconnect }, texts.disconnect)

/** The balance, tracked or reported by the wallet. */
const balance = (context: PartContext) => {
  const { wallet, texts, balance: known } = context
  return renderSlot(context, 'balance', { balance: known, network: wallet.network.value }, () =>
    known === null ? h('span', { class: 'vc-muted' }, texts.noBalance) : amounts(context, known),
  )
}

/** The confirmed part with the unconfirmed one, or the total where the parts are unknown. */
const amounts = ({ wallet, texts }: PartContext, known: ReportedBalance): VNode[] => {
  const network = wallet.network.value
  const [sompi, unconfirmed] = 'confirmed' in known ? [known.confirmed, known.unconfirmed] : [known.total, 0n]
  const amount = h('span', { class: 'vc-amount', dir: 'ltr', title: `${sompi} sompi` }, toAmountText(sompi, network))
  if (unconfirmed === 0n) return [amount]
  return [amount, h('span', { class: 'vc-muted' }, texts.unconfirmed(toAmountText(unconfirmed, network)))]
}

/**
 * The account's address, truncated to the available width, complete in `title`, always left to right; with a copy
 * button.
 */
const address = (context: PartContext, full: string) => {
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

/** Warning that the wallet is on another network, with a button to switch it. */
const wrongNetwork: Part = (context) => {
  const { wallet, expected, actions, texts } = context
  const network = wallet.network.value
  const name = network === null ? texts.otherNetwork : toNetworkName(network)
  if (expected === null || !context.isOnWrongNetwork()) return null
  const state = wallet.pending.value === 'switchNetwork' ? 'pending' : 'idle'
  const switchNetwork = (): void => actions.switchNetwork(expected)
  return renderSlot(context, 'wrong-network', { network, expected, state, switchNetwork, cancel: actions.abort }, () =>
    h('div', { class: 'vc-warning' }, [
      h('p', texts.isOnNetwork(nameOf(context), name, toNetworkName(expected))),
      state === 'pending' ? waiting(context) : button(context, expected, switchNetwork),
    ]),
  )
}

const button = ({ texts }: PartContext, expected: ChainNetwork, onClick: () => void) =>
  h('button', { type: 'button', class: 'vc-button vc-primary', onClick }, texts.switchTo(toNetworkName(expected)))

/** Shown while a prompt of the wallet is open. */
export const connecting: Part = (context) =>
  renderSlot(context, 'connecting', { name: nameOf(context), cancel: context.actions.abort }, () => waiting(context))

/** View of a locked wallet. */
export const locked: Part = (context) => {
  const { texts } = context
  const name = nameOf(context)
  const unlock = (): void => connectAgain(context)
  return renderSlot(context, 'locked', { name, unlock }, () =>
    notice(context, texts.isLocked(name), texts.unlock, unlock),
  )
}

/** View of a wallet whose address is not of its network: it updates the address when it is opened. */
export const contradictory: Part = (context) => {
  const { texts, actions } = context
  const name = nameOf(context)
  return renderSlot(context, 'contradictory', { name, forget: actions.forget }, () =>
    h('div', { class: 'vc-waiting' }, [
      h('p', { role: 'status' }, texts.isContradictory(name)),
      h('button', { type: 'button', class: 'vc-button', onClick: actions.forget }, texts.useAnother),
    ]),
  )
}

/** View of a wallet that ended the connection: another account was selected, or the permission was revoked. */
export const disconnected: Part = (context) => {
  const { texts, actions } = context
  const name = nameOf(context)
  const connect = (): void => connectAgain(context)
  return renderSlot(context, 'disconnected', { name, connect, forget: actions.forget }, () =>
    notice(context, texts.isDisconnected(name), texts.connectAgain, connect),
  )
}

/** Connects the wallet of the current state, which may be missing from the list. */
function connectAgain({ wallet, actions }: PartContext): void {
  const known = wallet.wallet.value
  if (known !== null) actions.connect(known)
}

const notice = ({ texts, actions }: PartContext, text: string, command: string, onClick: () => void) =>
  h('div', { class: 'vc-waiting' }, [
    h('p', text),
    h('button', { type: 'button', class: 'vc-button vc-primary', onClick }, command),
    h('button', { type: 'button', class: 'vc-button', onClick: actions.forget }, texts.useAnother),
  ])

/** A pending prompt: a spinner, where to confirm, and a button that aborts it. */
const waiting = (context: PartContext): VNode =>
  h('div', { class: 'vc-waiting' }, [
    h('span', { class: 'vc-spinner', 'aria-hidden': 'true' }),
    h('p', { role: 'status' }, context.texts.continueIn(nameOf(context))),
    h(
      'button',
      { type: 'button', class: 'vc-button vc-primary', onClick: context.actions.abort },
      context.texts.cancel,
    ),
  ])
