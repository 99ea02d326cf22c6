import { isValidAddress } from '../../../model/address.js'
import { isChainNetwork } from '../../../model/network.js'
import { toTransactionOf } from '../payment.js'
import { isSafeTransaction } from '../safe-transaction.js'
import { everyInput, signTransaction, type InputToSign } from '../sign-transaction.js'
import { invalidParams, unknownNetwork } from './errors.js'
import { approve, demandPermission, moveTo, visibleAccounts, type Announced } from './extension.js'

export type AnnouncedMethod = (wallet: Announced, params: Readonly<Record<string, unknown>>) => unknown

/** The methods of KCC-12 by their names. */
export const METHODS: Readonly<Record<string, AnnouncedMethod>> = {
  kaspa_accounts: visibleAccounts,
  kaspa_networkId: ({ vault }) => vault.state.network,
  kaspa_requestAccounts: requestAccounts,
  wallet_requestPermissions: requestAccounts,
  wallet_getPermissions: (wallet) => (visibleAccounts(wallet).length === 0 ? [] : ['kaspa_accounts']),
  wallet_revokePermissions: (wallet) => {
    wallet.vault.forbid(wallet.origin)
    wallet.emit('accountsChanged', [])
    return null
  },
  wallet_switchNetwork: async (wallet, { networkId }) => {
    if (!isChainNetwork(networkId)) throw unknownNetwork(String(networkId))
    if (wallet.vault.state.network === networkId) return null
    await approve(wallet, 'switch network', networkId)
    moveTo(wallet, networkId)
    return null
  },
  kaspa_signMessage: async (wallet, params) => {
    demandPermission(wallet)
    const message = String(params.message ?? params['0'])
    await approve(wallet, 'sign message', message)
    return wallet.vault.account.signMessage(message)
  },
  kaspa_sendTransaction: sendTransaction,
  kaspa_signTransaction: signInputs,
}

async function requestAccounts(wallet: Announced): Promise<string[]> {
  if (visibleAccounts(wallet).length === 0) {
    await approve(wallet, 'connect', wallet.origin)
    wallet.vault.allow(wallet.origin)
    wallet.emit('accountsChanged', visibleAccounts(wallet))
  }
  return visibleAccounts(wallet)
}

/** Amounts are decimal texts of sompi, and numbers are refused: JSON's cannot hold them. */
async function sendTransaction(wallet: Announced, params: Readonly<Record<string, unknown>>): Promise<string> {
  demandPermission(wallet)
  wallet.remote.demand()
  const {
    outputs,
    priorityFee = '0',
    payload = '',
  } = params as {
    readonly outputs: readonly { readonly address: unknown; readonly amount: unknown }[]
    readonly priorityFee?: unknown
    readonly payload?: string
  }
  const [output] = outputs
  if (!isValidAddress(output?.address)) throw invalidParams('An output needs an address')
  const [amount, fee] = [readAmount(output.amount), readAmount(priorityFee)]
  await approve(wallet, 'send', params)
  const from = wallet.vault.address
  return toTransactionOf({ from, to: output.address, amount, fee, payload, nonce: wallet.nextNonce() }).id
}

async function signInputs(wallet: Announced, params: Readonly<Record<string, unknown>>): Promise<string> {
  demandPermission(wallet)
  const { transaction, signInputs: chosen } = params as { transaction: string; signInputs?: readonly InputToSign[] }
  const safe: unknown = JSON.parse(transaction)
  if (!isSafeTransaction(safe)) throw invalidParams('The transaction cannot be read')
  await approve(wallet, 'sign transaction', transaction)
  return JSON.stringify(signTransaction(safe, wallet.vault.account, chosen ?? everyInput(safe)))
}

function readAmount(value: unknown): bigint {
  if (typeof value !== 'string' || !/^\d+$/.test(value)) throw invalidParams('Amounts are decimal texts of sompi')
  return BigInt(value)
}
