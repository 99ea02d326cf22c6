import { renderSlot, nameOf, type Part } from '../part.js'
import { waiting } from './waiting.js'

/** Shown while a prompt of the wallet is open. */
export const connecting: Part = (context) =>
  renderSlot(context, 'connecting', { name: nameOf(context), cancel: context.actions.abort }, () => waiting(context))
