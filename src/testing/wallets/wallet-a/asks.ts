import { isValidAddress } from '../../../model/address.js'
import { fromHex } from '../../../model/hex.js'
import { toTransactionOf } from '../payment.js'
import { refuse } from '../refuse.js'
import { isSafeTransaction } from '../safe-transaction.js'
import { signTransaction, type InputToSign } from '../sign-transaction.js'
import { internalError } from './errors.js'
import type { Kasware } from './extension.js'
import { SWITCHABLE, fromKaswareName, toKaswareName, typeOf } from './networks.js'
import type { Approve } from './windows.js'

export type Ask = (kasware: Kasware, approve: Approve, params: readonly unknown[]) => Promise<unknown>

/** The methods for which the wallet must be unlocked and the site permitted, and what each asks of the user besides. */
export const ASKS = { requestAccounts, switchNetwork, sendKaspa, signMessage, signPskt } as const satisfies Record<
  string,
  Ask
>

function requestAccounts({ vault, news }: Kasware): Promise<string[]> {
  news.accounts([vault.address])
  return Promise.resolve([vault.address])
}

async function switchNetwork(kasware: Kasware, approve: Approve, [name]: readonly unknown[]): Promise<string> {
  const network = fromKaswareName(String(name))
  if (network === undefined) {
    return refuse(internalError(`the network is invalid, supported networks: ${SWITCHABLE.join(',')}`))
  }
  const present = kasware.vault.state.network
  if (typeOf(network) !== typeOf(present)) await approve('switch network', network)
  if (network !== present) moveTo(kasware, network)
  return toKaswareName(network)
}

/** Goes to another network and tells of it: the network first, then the address, which begins otherwise there. */
export function moveTo({ vault, news, answers }: Kasware, network: string): void {
  vault.update({ network })
  news.network()
  if (vault.state.status === 'locked') return
  const tell = (): void => news.accounts([vault.address])
  if (answers.accountsLag === 0) tell()
  else setTimeout(tell, answers.accountsLag)
}

async function sendKaspa(kasware: Kasware, approve: Approve, params: readonly unknown[]): Promise<unknown> {
  const [to, sompi, options] = params as [string, number, { priorityFee?: number; payload?: string } | undefined]
  const { vault, answers } = kasware
  await approve('send', { to, sompi, options })
  if (!isValidAddress(to)) return refuse(internalError('Invalid address'))
  const safe = toTransactionOf({
    from: vault.address,
    to,
    amount: BigInt(sompi),
    fee: BigInt(options?.priorityFee ?? 0),
    payload: options?.payload ?? '',
    nonce: kasware.nextNonce(),
  })
  if (answers.send === 'id') return safe.id
  return answers.send === 'json' ? JSON.stringify(safe) : safe
}

async function signMessage({ vault, answers }: Kasware, approve: Approve, params: readonly unknown[]): Promise<string> {
  const text = String(params[0])
  await approve('sign message', text)
  const signature = vault.account.signMessage(text)
  return answers.signature === 'hex' ? signature : btoa(String.fromCharCode(...fromHex(signature)))
}

async function signPskt({ vault }: Kasware, approve: Approve, params: readonly unknown[]): Promise<string> {
  const [{ txJsonString, options }] = params as [
    { readonly txJsonString: string; readonly options?: { readonly signInputs?: readonly InputToSign[] } },
  ]
  await approve('sign transaction', txJsonString)
  const safe: unknown = JSON.parse(txJsonString)
  if (!isSafeTransaction(safe)) return refuse(internalError('Invalid transaction'))
  return JSON.stringify(signTransaction(safe, vault.account, options?.signInputs ?? []))
}
