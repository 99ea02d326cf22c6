import { ownInputs, signTransaction, type InputToSign } from '../sign-transaction.js'
import { isSafeTransaction, type SafeInput, type SafeTransaction } from '../safe-transaction.js'
import { SIGHASH_TYPES } from '../../../model/sighash.js'
import { Refusal, userDenied } from './errors.js'
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

/**
 * Signs what was asked for, and then, where any input is left, all of the account's own anew, for everything: neither some
 * only nor a sighash type can be relied on. A script's input that was not named stays without a signature.
 */
export async function signTx(kastle: Kastle, args: unknown): Promise<string> {
  demandConnection(kastle)
  const { account } = kastle.vault
  const { txJson, scripts = [] } = args as SignArguments
  const safe = await approveTransaction(kastle, txJson)
  const chosen = scripts.map(({ inputIndex, signType = 'All' }): InputToSign => ({
    index: inputIndex,
    sighashType: SIGHASH_TYPES[signType],
  }))
  if (chosen.some(({ index }) => safe.inputs[index] === undefined)) throw unsigned('Input index out of range')
  if (chosen.some(({ index }) => isSigned(safe.inputs[index]))) throw unsigned('Input already signed')
  const asked = signTransaction(safe, account, chosen)
  return JSON.stringify(
    asked.inputs.every(isSigned) ? asked : signTransaction(asked, account, ownInputs(asked, account)),
  )
}

const isSigned = (input: SafeInput | undefined): boolean => (input?.signatureScript ?? '') !== ''

const unsigned = (story: string): Refusal => new Refusal(`Failed to sign transaction: ${story}`)

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
