import { refuse } from '../refuse.js'
import { isKnownMethod } from './relay.js'
import type { AskExtension } from './transport.js'
import { paymentIssues, textIssues, throwIssues } from './validation.js'

export type KastleListener = (payload: never) => void

/** What `window.kastle` looks like from a page: methods on a prototype, which fail without their receiver. */
export class KastleProvider {
  readonly listenersOf = new Map<string, Set<KastleListener>>()
  readonly ask: AskExtension
  readonly objectRequest: 'ignored' | 'understood'

  constructor(ask: AskExtension, objectRequest: 'ignored' | 'understood') {
    this.ask = ask
    this.objectRequest = objectRequest
  }

  on(event: string, listener: KastleListener): this {
    this.listenersOf.set(event, (this.listenersOf.get(event) ?? new Set()).add(listener))
    return this
  }

  removeListener(event: string, listener: KastleListener): this {
    this.listenersOf.get(event)?.delete(listener)
    return this
  }

  /** Whatever it is given; the user's word is what counts. Resolves to true. */
  async connect(): Promise<unknown> {
    return this.ask('kas:connect')
  }

  /** Does nothing: only the user can take a permission back. */
  disconnect(): Promise<void> {
    return Promise.resolve()
  }

  async getAccount(): Promise<unknown> {
    return this.ask('kas:get_account')
  }

  async getNetwork(): Promise<unknown> {
    return this.ask('kas:get_network')
  }

  async getVersion(): Promise<unknown> {
    return this.ask('kas:get_version')
  }

  async getBalance(): Promise<unknown> {
    return this.ask('kas:get_balance')
  }

  async getUtxoEntries(): Promise<unknown> {
    return this.ask('kas:get_utxo_entries')
  }

  async switchNetwork(network: unknown): Promise<unknown> {
    return this.ask('kas:switch_network', network)
  }

  async sendKaspa(toAddress: unknown, sompi: unknown, options?: unknown): Promise<unknown> {
    throwIssues(paymentIssues(toAddress, sompi, options))
    return this.ask('kas:send_sompi', { toAddress, sompi, options })
  }

  async buildTransaction(outputs: unknown, options?: unknown): Promise<unknown> {
    return this.ask('kas:build_transaction', { outputs, options })
  }

  async signAndBroadcastTx(networkId: unknown, txJson: unknown, scripts?: unknown): Promise<unknown> {
    throwIssues(textIssues(txJson, ['txJson'], 'Required'))
    return this.ask('kas:sign_and_broadcast_tx', { networkId, txJson, scripts })
  }

  async signTx(networkId: unknown, txJson: unknown, scripts?: unknown): Promise<unknown> {
    throwIssues(textIssues(txJson, ['txJson'], 'Required'))
    return this.ask('kas:sign_tx', { networkId, txJson, scripts })
  }

  async signMessage(message: unknown): Promise<unknown> {
    throwIssues(textIssues(message, [], 'Message cannot be empty'))
    return this.ask('kas:sign_message', message)
  }

  /** The generic way in. A name that it does not know resolves to undefined. */
  async request(request: unknown, args?: unknown): Promise<unknown> {
    if (typeof request === 'string') return isKnownMethod(request) ? this.ask(request, args) : undefined
    if (this.objectRequest === 'ignored') return undefined
    const { method, params } = request as { method: string; params?: unknown }
    return isKnownMethod(method)
      ? this.ask(method, params)
      : refuse({ code: 4200, message: `Unsupported method ${method}` })
  }
}
