import { isValidAddress } from '../../../model/address.js'
import { fromHex } from '../../../model/hex.js'
import { NodeFailure, type WalletFunds } from '../node/wallet-node.js'
import { throwValue, never } from '../extension-calls.js'
import { isSafeTransaction, signTransaction, type InputToSign } from '../safe-transaction.js'
import {
  internalError,
  type Kasware,
  siteAccessOf,
  type KaswareBehavior,
  type SiteAccess,
  unauthorized,
  userRejected,
  SWITCHABLE,
  fromKaswareName,
  toKaswareName,
  typeOf,
} from './extension.js'
import type { Prompt, PromptKind, Prompts } from '../prompts.js'

export type PromptingMethod = (kasware: Kasware, approve: Approve, params: readonly unknown[]) => Promise<unknown>

/** The methods that require an unlocked wallet and a permitted site, and may prompt for more. */
export const PROMPTING_METHODS = {
  requestAccounts,
  switchNetwork,
  sendKaspa,
  signMessage,
  signPskt,
} as const satisfies Record<string, PromptingMethod>

function requestAccounts({ accountState, notifier }: Kasware): Promise<string[]> {
  notifier.accounts([accountState.address])
  return Promise.resolve([accountState.address])
}

async function switchNetwork(kasware: Kasware, approve: Approve, [name]: readonly unknown[]): Promise<string> {
  const network = fromKaswareName(String(name))
  if (network === undefined) {
    return throwValue(internalError(new Error(`the network is invalid, supported networks: ${SWITCHABLE.join(',')}`)))
  }
  const current = kasware.accountState.state.network
  if (typeOf(network) !== typeOf(current)) await approve('switch network', network)
  if (network !== current) changeNetwork(kasware, network)
  return toKaswareName(network)
}

/** Switches the network and emits it, then the address, whose prefix changes. */
export function changeNetwork({ accountState, notifier, behavior }: Kasware, network: string): void {
  accountState.update({ network })
  notifier.network()
  if (accountState.state.status === 'locked') return
  const emitAccounts = (): void => notifier.accounts([accountState.address])
  if (behavior.accountsLag === 0) emitAccounts()
  else setTimeout(emitAccounts, behavior.accountsLag)
}

async function sendKaspa(kasware: Kasware, approve: Approve, params: readonly unknown[]): Promise<unknown> {
  const [to, sompi, options] = params as [string, number, { priorityFee?: number; payload?: string } | undefined]
  const { accountState, behavior } = kasware
  await approve('send', { to, sompi, options })
  if (!isValidAddress(to)) return throwValue(internalError('Invalid address'))
  const transactions = await throughNode(async () => {
    const built = await kasware.node.build({
      from: accountState.address,
      outputs: [{ address: to, amount: BigInt(sompi) }],
      fee: BigInt(options?.priorityFee ?? 0),
      payload: options?.payload ?? '',
    })
    for (const transaction of built) await kasware.node.send(transaction, accountState.account)
    return built
  })
  const safe = transactions.at(-1)
  if (behavior.send === 'id') return safe?.id
  return behavior.send === 'json' ? JSON.stringify(safe) : safe
}

/** The SDK throws texts, of which KasWare leaves nothing. */
async function throughNode<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    return throwValue(internalError(error instanceof NodeFailure ? error.message : String(error)))
  }
}

async function signMessage(
  { accountState, behavior }: Kasware,
  approve: Approve,
  params: readonly unknown[],
): Promise<string> {
  const message = String(params[0])
  await approve('sign message', message)
  const signature = accountState.account.signMessage(message)
  return behavior.signature === 'hex' ? signature : btoa(String.fromCharCode(...fromHex(signature)))
}

async function signPskt({ accountState }: Kasware, approve: Approve, params: readonly unknown[]): Promise<string> {
  const [{ txJsonString, options }] = params as [
    { readonly txJsonString: string; readonly options?: { readonly signInputs?: readonly InputToSign[] } },
  ]
  await approve('sign transaction', txJsonString)
  const safe: unknown = JSON.parse(txJsonString)
  if (!isSafeTransaction(safe)) return throwValue(internalError('Invalid transaction'))
  return JSON.stringify(signTransaction(safe, accountState.account, options?.signInputs ?? []))
}

export type ReadMethod = (kasware: Kasware, access: SiteAccess, params: readonly unknown[]) => unknown

/** The methods without a prompt; without access they return an empty value. */
export const READ_METHODS = {
  getVersion: () => '0.13.5',
  getAccounts: ({ accountState }, access) => (access === 'permitted' ? [accountState.address] : []),
  getPublicKey: ({ accountState }, access) => (access === 'permitted' ? accountState.account.publicKey : ''),
  getNetwork: ({ accountState }, access) => (access === 'none' ? '' : toKaswareName(accountState.state.network)),
  getBalance: async (kasware, access) => {
    if (access === 'none') return {}
    if (access === 'locked') return null
    return toBalance(await kasware.node.balance(kasware.accountState.address, kasware.balance), kasware.behavior)
  },
  getUtxoEntries: (_, access) => (access === 'permitted' ? [] : throwValue(unauthorized)),
  disconnect: ({ accountState, notifier }, _, [origin]) => {
    if (typeof origin !== 'string') return
    if (siteAccessOf(accountState, origin) !== 'none') notifier.accounts([])
    accountState.revoke(origin)
  },
} as const satisfies Record<string, ReadMethod>

function toBalance({ confirmed, unconfirmed }: WalletFunds, behavior: KaswareBehavior): object {
  const format = (sompi: bigint): number | string => (behavior.balance === 'text' ? String(sompi) : Number(sompi))
  const parts = { confirmed: format(confirmed), unconfirmed: format(unconfirmed) }
  const sum = { total: format(confirmed + unconfirmed) }
  if (behavior.balance === 'without total') return parts
  return behavior.balance === 'total only' ? sum : { ...parts, ...sum }
}

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
