import { h } from 'vue'
import { renderSlot, nameOf, type Part, type PartContext } from '../part.js'

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
