import { isValidAddress } from '../../../model/address.js'
import { fromHex } from '../../../model/hex.js'
import { NodeFailure } from '../node/wallet-node.js'
import { throwValue } from '../extension-calls.js'
import { isSafeTransaction } from '../safe-transaction.js'
import { signTransaction, type InputToSign } from '../sign-transaction.js'
import { internalError } from './errors.js'
import type { Kasware } from './extension.js'
import { SWITCHABLE, fromKaswareName, toKaswareName, typeOf } from './networks.js'
import type { Approve } from './approval-window.js'

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
