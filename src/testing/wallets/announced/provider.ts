import { type FaultGate, type CallLog, pause, toJsonCopy } from '../extension-calls.js'
import {
  unsupported,
  type Announced,
  internalError,
  invalidParams,
  unknownNetwork,
  approve,
  requirePermission,
  changeNetwork,
  visibleAccounts,
} from './extension.js'
import { isValidAddress } from '../../../model/address.js'
import { isChainNetwork } from '../../../model/network.js'
import { NodeFailure } from '../node/wallet-node.js'
import { isSafeTransaction, everyInput, signTransaction, type InputToSign } from '../safe-transaction.js'

/** The provider in an announcement: one request method, and events. */
export interface AnnouncedProvider {
  request(request: { readonly method: string; readonly params?: unknown }): Promise<unknown>
  on(event: string, listener: (payload: never) => void): AnnouncedProvider
  removeListener(event: string, listener: (payload: never) => void): AnnouncedProvider
}

interface AnnouncedProviderDeps {
  readonly wallet: Announced
  readonly callLog: CallLog
  readonly faults: FaultGate
  readonly listeners: Emitter
  /** Ms per call. */
  readonly latency: number
}

export function createProvider(deps: AnnouncedProviderDeps): AnnouncedProvider {
  const { wallet, callLog, faults, listeners, latency } = deps
  const provider: AnnouncedProvider = {
    request: async ({ method, params = {} }) => {
      callLog.record(method, [params])
      const sent = JSON.stringify(params) // throws for a bigint
      await pause(latency)
      await faults.apply(method)
      const handle = METHODS[method]
      if (handle === undefined) throw unsupported(method)
      return toJsonCopy(await handle(wallet, toRecord(JSON.parse(sent))))
    },
    on: (event, listener) => {
      listeners.add(event, listener)
      return provider
    },
    removeListener: (event, listener) => {
      listeners.remove(event, listener)
      return provider
    },
  }
  return provider
}

/** Parameters by name, or by index (`0`, `1`, …) for a list; a list of one record is that record. */
function toRecord(params: unknown): Readonly<Record<string, unknown>> {
  const byKey = Object.fromEntries(Object.entries(params ?? {}))
  const [first] = Array.isArray(params) ? (params as unknown[]) : []
  return typeof first === 'object' ? { ...byKey, ...first } : byKey
}

type Listener = (payload: never) => void

/** The event listeners of a provider. */
export interface Emitter {
  add(event: string, listener: Listener): void
  remove(event: string, listener: Listener): void
  readonly emit: (event: string, payload: unknown) => void
  count(): number
}

export function createEmitter(): Emitter {
  const byEvent = new Map<string, Set<Listener>>()
  return {
    add: (event, listener) => {
      byEvent.set(event, (byEvent.get(event) ?? new Set()).add(listener))
    },
    remove: (event, listener) => void byEvent.get(event)?.delete(listener),
    emit: (event, payload) => byEvent.get(event)?.forEach((listener) => listener(payload as never)),
    count: () => [...byEvent.values()].reduce((sum, { size }) => sum + size, 0),
  }
}

type AnnouncedMethod = (wallet: Announced, params: Readonly<Record<string, unknown>>) => unknown

/** The methods of KCC-12 by name. */
const METHODS: Readonly<Record<string, AnnouncedMethod>> = {
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
