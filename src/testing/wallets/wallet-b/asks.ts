import { signTransaction, everyInput, type InputToSign } from '../sign-transaction.js'
import { isSafeTransaction, type SafeTransaction } from '../safe-transaction.js'
import { SIGHASH_TYPES } from '../../../model/sighash.js'
import { userDenied } from './errors.js'
import { approve, demandConnection, demandWallet, isConnected, permissionOf, type Kastle } from './extension.js'
import { moveTo } from './move.js'

/** Kastle tells of a connection so many ms after its promise has resolved. */
const AFTERWARDS = 15
const KNOWN_NETWORKS = ['mainnet', 'testnet-10']

export async function connect(kastle: Kastle): Promise<true> {
  demandWallet(kastle)
  if (isConnected(kastle)) return true
  await approve(kastle, 'connect', kastle.host)
  kastle.vault.allow(permissionOf(kastle))
  if (kastle.answers.settings === 'fresh') tellFirstConnect(kastle)
  else setTimeout(() => kastle.news.host(true), AFTERWARDS)
  return true
}

/** The first connect of a profile stores its settings, and is told as if they had changed. */
function tellFirstConnect(kastle: Kastle): void {
  const { news, vault, answers } = kastle
  answers.settings = 'known'
  news.network(vault.state.network)
  setTimeout(() => news.account(vault.address), AFTERWARDS)
}

export async function switchNetwork(kastle: Kastle, network: unknown): Promise<unknown> {
  demandWallet(kastle)
  if (network === kastle.vault.state.network) return network
  const known = KNOWN_NETWORKS.find((name) => name === network)
  await approve(kastle, 'switch network', network)
  if (known === undefined) throw userDenied() // its window cannot be drawn: whoever sees it can only close it
  moveTo(kastle, known)
  return known
}

export async function signMessage(kastle: Kastle, message: unknown): Promise<string> {
  demandConnection(kastle)
  await approve(kastle, 'sign message', message)
  return kastle.vault.account.signMessage(String(message))
}

interface SignArguments {
  readonly txJson: string
  readonly scripts?: readonly { readonly inputIndex: number; readonly signType?: keyof typeof SIGHASH_TYPES }[]
}

/** Signs what was asked for, and then, where any input is left, all of them: signing some only cannot be relied on. */
export async function signTx(kastle: Kastle, args: unknown): Promise<string> {
  demandConnection(kastle)
  const { txJson, scripts = [] } = args as SignArguments
  const safe = await approveTransaction(kastle, txJson)
  const chosen = scripts.map(({ inputIndex, signType = 'All' }): InputToSign => ({
    index: inputIndex,
    sighashType: SIGHASH_TYPES[signType],
  }))
  return JSON.stringify(signTransaction(safe, kastle.vault.account, [...everyInput(safe), ...chosen]))
}

export async function signAndBroadcastTx(kastle: Kastle, args: unknown): Promise<string> {
  demandConnection(kastle)
  const { id } = await approveTransaction(kastle, (args as SignArguments).txJson)
  return id
}

/** Shows a transaction; a text that is none makes a window with an error in it, which can only be closed. */
async function approveTransaction(kastle: Kastle, txJson: string): Promise<SafeTransaction> {
  const safe: unknown = JSON.parse(txJson)
  await approve(kastle, 'sign transaction', txJson)
  if (!isSafeTransaction(safe)) throw userDenied()
  return safe
}
