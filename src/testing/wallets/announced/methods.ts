import { isValidAddress } from '../../../model/address.js'
import { isChainNetwork } from '../../../model/network.js'
import { NodeFailure } from '../node/wallet-node.js'
import { isSafeTransaction } from '../safe-transaction.js'
import { everyInput, signTransaction, type InputToSign } from '../sign-transaction.js'
import { internalError, invalidParams, unknownNetwork, unsupported } from './errors.js'
import { approve, requirePermission, changeNetwork, visibleAccounts, type Announced } from './extension.js'

export type AnnouncedMethod = (wallet: Announced, params: Readonly<Record<string, unknown>>) => unknown

/** The methods of KCC-12 by name. */
export const METHODS: Readonly<Record<string, AnnouncedMethod>> = {
  kaspa_accounts: visibleAccounts,
  kaspa_networkId: ({ accountState }) => accountState.state.network,
  kaspa_requestAccounts: requestAccounts,
  wallet_requestPermissions: requestAccounts,
  wallet_getPermissions: (wallet) => (visibleAccounts(wallet).length === 0 ? [] : ['kaspa_accounts']),
  wallet_revokePermissions: (wallet) => {
    wallet.accountState.revoke(wallet.origin)
    wallet.emit('accountsChanged', [])
    return null
  },
  wallet_switchNetwork: async (wallet, { networkId }) => {
    if (!isChainNetwork(networkId)) throw unknownNetwork(String(networkId))
    if (wallet.accountState.state.network === networkId) return null
    await approve(wallet, 'switch network', networkId)
    changeNetwork(wallet, networkId)
    return null
  },
  kaspa_signMessage: async (wallet, params) => {
    requirePermission(wallet)
    const message = String(params.message ?? params['0'])
    await approve(wallet, 'sign message', message)
    return wallet.accountState.account.signMessage(message)
  },
  kaspa_sendTransaction: sendTransaction,
  kaspa_signTransaction: signInputs,
  kaspa_signPskb: async (wallet, params) => {
    requirePermission(wallet)
    if (wallet.signPskb === undefined) throw unsupported('kaspa_signPskb')
    await approve(wallet, 'sign transaction', params['0'])
    return wallet.signPskb(String(params['0']))
  },
}

async function requestAccounts(wallet: Announced): Promise<string[]> {
  if (visibleAccounts(wallet).length === 0) {
    await approve(wallet, 'connect', wallet.origin)
    wallet.accountState.allow(wallet.origin)
    wallet.emit('accountsChanged', visibleAccounts(wallet))
  }
  return visibleAccounts(wallet)
}

/** Amounts are decimal strings of sompi; numbers are rejected, because JSON numbers are inexact above 2^53. */
async function sendTransaction(wallet: Announced, params: Readonly<Record<string, unknown>>): Promise<string> {
  requirePermission(wallet)
  wallet.nodeLink.requireReachable()
  const {
    outputs,
    priorityFee = '0',
    payload = '',
  } = params as {
    readonly outputs: readonly { readonly address: unknown; readonly amount: unknown }[]
    readonly priorityFee?: unknown
    readonly payload?: string
  }
  const paid = outputs.map(({ address, amount }) => {
    if (!isValidAddress(address)) throw invalidParams('An output requires a valid address')
    return { address, amount: readAmount(amount) }
  })
  const fee = readAmount(priorityFee)
  await approve(wallet, 'send', params)
  const { accountState, node } = wallet
  try {
    const built = await node.build({ from: accountState.address, outputs: paid, fee, payload })
    for (const transaction of built) await node.send(transaction, accountState.account)
    return built.at(-1)?.id ?? ''
  } catch (error) {
    throw error instanceof NodeFailure ? internalError(error.message) : error
  }
}

async function signInputs(wallet: Announced, params: Readonly<Record<string, unknown>>): Promise<string> {
  requirePermission(wallet)
  const { transaction, signInputs: requested } = params as { transaction: string; signInputs?: readonly InputToSign[] }
  const safe: unknown = JSON.parse(transaction)
  if (!isSafeTransaction(safe)) throw invalidParams('The transaction is not valid safe JSON')
  await approve(wallet, 'sign transaction', transaction)
  return JSON.stringify(signTransaction(safe, wallet.accountState.account, requested ?? everyInput(safe)))
}

function readAmount(value: unknown): bigint {
  if (typeof value !== 'string' || !/^\d+$/.test(value)) throw invalidParams('Amounts are decimal strings of sompi')
  return BigInt(value)
}
