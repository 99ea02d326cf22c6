import { throwValue } from '../extension-calls.js'
import { isKnownMethod } from './relay.js'
import type { CallExtension } from './transport.js'
import { paymentIssues, textIssues, throwIssues } from './validation.js'

type KastleListener = (payload: never) => void

/** The shape of `window.kastle`: prototype methods, which fail without their receiver. */
export class KastleProvider {
  /** @internal */
  readonly listenersOf = new Map<string, Set<KastleListener>>()
  /** @internal */
  readonly call: CallExtension
  /** @internal */
  readonly objectRequest: 'ignored' | 'understood'

  /** @internal */
  constructor(call: CallExtension, objectRequest: 'ignored' | 'understood') {
    this.call = call
    this.objectRequest = objectRequest
  }

  on(event: string, listener: (payload: never) => void): this {
    this.listenersOf.set(event, (this.listenersOf.get(event) ?? new Set()).add(listener))
    return this
  }

  removeListener(event: string, listener: (payload: never) => void): this {
    this.listenersOf.get(event)?.delete(listener)
    return this
  }

  /** Ignores its arguments; resolves to true on approval. */
  async connect(): Promise<unknown> {
    return this.call('kas:connect')
  }

  /** Does nothing: only the user can revoke a permission. */
  disconnect(): Promise<void> {
    return Promise.resolve()
  }

  async getAccount(): Promise<unknown> {
    return this.call('kas:get_account')
  }

  async getNetwork(): Promise<unknown> {
    return this.call('kas:get_network')
  }

  async getVersion(): Promise<unknown> {
    return this.call('kas:get_version')
  }

  async getBalance(): Promise<unknown> {
    return this.call('kas:get_balance')
  }

  async getUtxoEntries(): Promise<unknown> {
    return this.call('kas:get_utxo_entries')
  }

  async switchNetwork(network: unknown): Promise<unknown> {
    return this.call('kas:switch_network', network)
  }

  async sendKaspa(toAddress: unknown, sompi: unknown, options?: unknown): Promise<unknown> {
    throwIssues(paymentIssues(toAddress, sompi, options))
    return this.call('kas:send_sompi', { toAddress, sompi, options })
  }

  async buildTransaction(outputs: unknown, options?: unknown): Promise<unknown> {
    return this.call('kas:build_transaction', { outputs, options })
  }

  async signAndBroadcastTx(networkId: unknown, txJson: unknown, scripts?: unknown): Promise<unknown> {
    throwIssues(textIssues(txJson, ['txJson'], 'Required'))
    return this.call('kas:sign_and_broadcast_tx', { networkId, txJson, scripts })
  }

  async signTx(networkId: unknown, txJson: unknown, scripts?: unknown): Promise<unknown> {
    throwIssues(textIssues(txJson, ['txJson'], 'Required'))
    return this.call('kas:sign_tx', { networkId, txJson, scripts })
  }

  async signMessage(message: unknown): Promise<unknown> {
    throwIssues(textIssues(message, [], 'Message cannot be empty'))
    return this.call('kas:sign_message', message)
  }

  /** The generic method; an unknown name resolves to undefined. */
  async request(request: unknown, args?: unknown): Promise<unknown> {
    if (typeof request === 'string') return isKnownMethod(request) ? this.call(request, args) : undefined
    if (this.objectRequest === 'ignored') return undefined
    const { method, params } = request as { method: string; params?: unknown }
    return isKnownMethod(method)
      ? this.call(method, params)
      : throwValue({ code: 4200, message: `Unsupported method ${method}` })
  }
}
