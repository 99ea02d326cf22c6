import { SIGHASH_TYPES } from '../../../model/sighash.js'
import {
  ownInputs,
  signTransaction,
  type InputToSign,
  isSafeTransaction,
  type SafeInput,
  type SafeTransaction,
} from '../safe-transaction.js'
import { NodeFailure } from '../node/wallet-node.js'
import {
  KastleError,
  userDenied,
  approve,
  requireConnection,
  requireWallet,
  isConnected,
  permissionOf,
  changeNetwork,
  addressOf,
  balanceOf,
  type Kastle,
  PROFILES,
} from './extension.js'

/** Ms from the resolved `connect` to its notification. */
const NOTIFY_DELAY = 15
const KNOWN_NETWORKS = ['mainnet', 'testnet-10']

export async function connect(kastle: Kastle): Promise<true> {
  requireWallet(kastle)
  if (isConnected(kastle)) return true
  await approve(kastle, 'connect', kastle.host)
  kastle.accountState.allow(permissionOf(kastle))
  if (kastle.behavior.settings === 'fresh') notifyFirstConnect(kastle)
  else setTimeout(() => kastle.notifier.host(true), NOTIFY_DELAY)
  return true
}

/** The first connect of a profile stores its settings and is notified as a change of them. */
function notifyFirstConnect(kastle: Kastle): void {
  const { notifier, accountState, behavior } = kastle
  behavior.settings = 'known'
  notifier.network(accountState.state.network)
  setTimeout(() => notifier.account(accountState.address), NOTIFY_DELAY)
}

export async function switchNetwork(kastle: Kastle, network: unknown): Promise<unknown> {
  requireWallet(kastle)
  if (network === kastle.accountState.state.network) return network
  const known = KNOWN_NETWORKS.find((name) => name === network)
  await approve(kastle, 'switch network', network)
  if (known === undefined) throw userDenied() // an unknown network breaks the window: the user can only close it
  changeNetwork(kastle, known)
  return known
}

export async function signMessage(kastle: Kastle, message: unknown): Promise<string> {
  requireConnection(kastle)
  await approve(kastle, 'sign message', message)
  return kastle.accountState.account.signMessage(String(message))
}

interface SignArguments {
  readonly txJson: string
  readonly scripts?: readonly { readonly inputIndex: number; readonly signType?: keyof typeof SIGHASH_TYPES }[]
}

/**
 * Signs the requested inputs; if any input is then unsigned, signs all of the account's own inputs again with sighash
 * type All. Unrequested script inputs stay unsigned.
 */
export async function signTx(kastle: Kastle, args: unknown): Promise<string> {
  requireConnection(kastle)
  const { account } = kastle.accountState
  const { txJson, scripts = [] } = args as SignArguments
  const safe = await approveTransaction(kastle, txJson)
  const requested = scripts.map(({ inputIndex, signType = 'All' }): InputToSign => ({
    index: inputIndex,
    sighashType: SIGHASH_TYPES[signType],
  }))
  if (requested.some(({ index }) => safe.inputs[index] === undefined)) throw signError('Input index out of range')
  if (requested.some(({ index }) => isSigned(safe.inputs[index]))) throw signError('Input already signed')
  const signed = signTransaction(safe, account, requested)
  return JSON.stringify(
    signed.inputs.every(isSigned) ? signed : signTransaction(signed, account, ownInputs(signed, account)),
  )
}

const isSigned = (input: SafeInput | undefined): boolean => (input?.signatureScript ?? '') !== ''

const signError = (reason: string): KastleError => new KastleError(`Failed to sign transaction: ${reason}`)

export async function signAndBroadcastTx(kastle: Kastle, args: unknown): Promise<string> {
  requireConnection(kastle)
  const safe = await approveTransaction(kastle, (args as SignArguments).txJson)
  try {
    await kastle.node.send(safe, kastle.accountState.account)
    return safe.id
  } catch (error) {
    if (!(error instanceof NodeFailure)) throw error
    const words = `RPC Server (remote error) -> ${error.message}`
    throw new KastleError(`Failed to sign and broadcast transaction: Error: ${words}`)
  }
}

/** Prompts for a transaction. Invalid JSON leads to a window with an error, which the user can only close. */
async function approveTransaction(kastle: Kastle, txJson: string): Promise<SafeTransaction> {
  const safe: unknown = JSON.parse(txJson)
  await approve(kastle, 'sign transaction', txJson)
  if (!isSafeTransaction(safe)) throw userDenied()
  return safe
}

/** The methods without a prompt; also available while the wallet is locked. */
export const READ_METHODS: Readonly<Record<string, (kastle: Kastle) => unknown>> = {
  'kas:get_version': ({ profile }) => PROFILES[profile].version,
  'kas:get_network': ({ accountState }) => accountState.state.network,
  'kas:get_account': (kastle) => {
    requireConnection(kastle)
    const { publicKey, uncompressedKey } = kastle.accountState.account
    return {
      address: addressOf(kastle),
      publicKey: kastle.behavior.publicKey === 'compressed' ? publicKey : uncompressedKey,
    }
  },
  'kas:get_balance': async (kastle) => {
    requireConnection(kastle)
    return { balance: String(await balanceOf(kastle)) }
  },
  'kas:get_utxo_entries': (kastle) => {
    requireConnection(kastle)
    return { entries: [] }
  },
}
