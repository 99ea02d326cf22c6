import { h } from 'vue'
import { fill, nameOf, type Part, type PartContext } from '../part.js'

/** A wallet that wants its password before it shows anything. */
export const locked: Part = (context) => {
  const { texts } = context
  const name = nameOf(context)
  const unlock = (): void => connectAgain(context)
  return fill(context, 'locked', { name, unlock }, () => notice(context, texts.isLocked(name), texts.unlock, unlock))
}

/** A wallet that shows us no account any more: another one was selected there, or the permission is gone. */
export const gone: Part = (context) => {
  const { texts, actions } = context
  const name = nameOf(context)
  const connect = (): void => connectAgain(context)
  return fill(context, 'gone', { name, connect, forget: actions.cancel }, () =>
    notice(context, texts.isGone(name), texts.connectAgain, connect),
  )
}

/** Asks the very wallet in question, also where the list has no entry for it. */
function connectAgain({ wallet, actions }: PartContext): void {
  const known = wallet.wallet.value
  if (known !== null) actions.connect(known)
}

const notice = ({ texts, actions }: PartContext, sentence: string, verb: string, onClick: () => void) =>
  h('div', { class: 'vc-waiting' }, [
    h('p', sentence),
    h('button', { type: 'button', class: 'vc-button vc-primary', onClick }, verb),
    h('button', { type: 'button', class: 'vc-button', onClick: actions.cancel }, texts.useAnother),
  ])
