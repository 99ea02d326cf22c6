import { never, throwValue } from '../extension-calls.js'
import type { Prompt, PromptKind, Prompts } from '../prompts.js'
import { userRejected } from './errors.js'

/** Prompts the user; rejects like KasWare unless approved. */
export type Approve = (kind: PromptKind, detail?: unknown) => Promise<void>

interface PendingApproval {
  readonly tick: number
  readonly prompt: Prompt | undefined
}

/**
 * KasWare's single approval window, in which the last call wins. A later call closes the window of an earlier one,
 * whose promise never settles. Two calls in one tick leave two windows open, of which only the second has an effect.
 */
export function createApprovalWindow(prompts: Prompts): (tick: number) => Approve {
  let last: PendingApproval | undefined
  return (tick) => async (kind, detail) => {
    if (last?.prompt !== undefined && last.tick !== tick) prompts.abandon(last.prompt)
    const response = prompts.request(kind, detail)
    const current = { tick, prompt: prompts.open.at(-1) }
    last = current
    const result = await response
    if (last !== current) return never()
    last = undefined
    if (result !== 'approve') throwValue(userRejected)
  }
}
