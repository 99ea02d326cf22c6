import { throwValue } from '../extension-calls.js'
import { PROMPTING_METHODS, type PromptingMethod } from './prompting-methods.js'
import { noWallet, unauthorized } from './errors.js'
import { siteAccessOf, type Kasware } from './extension.js'
import { READ_METHODS, type ReadMethod } from './read-methods.js'
import type { Approve } from './approval-window.js'

const readMethods: Readonly<Record<string, ReadMethod>> = READ_METHODS
const promptingMethods: Readonly<Record<string, PromptingMethod>> = PROMPTING_METHODS

/**
 * Handles a call from `origin`, which is null before the check-in. Reads return at once; other methods first unlock the
 * wallet and request permission.
 */
export async function handleCall(
  kasware: Kasware,
  origin: string | null,
  approve: Approve,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  const { accountState } = kasware
  if (accountState.state.status === 'empty') return throwValue(noWallet)
  const readMethod = readMethods[method]
  if (readMethod !== undefined) return readMethod(kasware, siteAccessOf(accountState, origin), params)
  const promptingMethod = promptingMethods[method]
  if (promptingMethod === undefined) return throwValue(noHandlerError(method))
  await unlock(kasware, approve)
  await requirePermission(kasware, origin, approve)
  return promptingMethod(kasware, approve, params)
}

async function unlock({ accountState }: Kasware, approve: Approve): Promise<void> {
  if (accountState.state.status !== 'locked') return
  await approve('unlock')
  accountState.update({ status: 'unlocked' })
}

async function requirePermission({ accountState }: Kasware, origin: string | null, approve: Approve): Promise<void> {
  if (siteAccessOf(accountState, origin) === 'permitted') return
  await approve('connect', origin)
  if (origin === null) return throwValue(unauthorized) // called before the check-in: the approval has no site
  accountState.allow(origin)
}

const noHandlerError = (method: string): object => ({
  code: -32601,
  message: `method [${method}] doesn't has corresponding handler`,
  data: { method },
})
